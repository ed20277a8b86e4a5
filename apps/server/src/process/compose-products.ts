import { createSecretKey } from 'node:crypto';
import { parseDecimal } from '@sathorn/money';
import {
  ACCEPTED_AFTER_MS,
  FUND_COVER_DAYS,
  NORMAL_REDEMPTION_DAYS,
  OPTION_GAP_MAX_MS,
  QUICK_REDEMPTION_MAX,
} from '@sathorn/settlement';
import { boxOfferKind, openBeaconClient, openBoxes } from '../earning/boxes/index.ts';
import { DEMO_TERMS, offerFieldsOf, offerKindNameOf, openEarning } from '../earning/earning/index.ts';
import { openInvites } from '../earning/invites/index.ts';
import { ladderOfferKind } from '../earning/rewards/index.ts';
import { lockStanding, openStanding } from '../earning/standing/index.ts';
import { openAlerts } from '../exchange/alerts/index.ts';
import {
  type ContractIndex,
  coinOfferKind,
  contractTermsOf,
  feeOfferKind,
  openContracts,
} from '../exchange/contracts/index.ts';
import { openMarketLists, ticksForOptions } from '../exchange/market/index.ts';
import {
  DEMO_SALE_TERMS,
  openOptions,
  optionOfferKind,
  optionSaleOfferKind,
  saleOfferFieldsOf,
} from '../exchange/options/index.ts';
import { lockRecurring, openRecurring } from '../exchange/recurring/index.ts';
import { uuidOfName } from '../ledger/index.ts';
import { thresholdOfferKind, withdrawalOfferKind } from '../money/withdrawals/index.ts';
import { openSafeguards } from '../people/safeguards/index.ts';
import {
  amountText,
  maskName,
  openContent,
  openPublishing,
  openRulesWithoutParams,
  shownRulesOf,
} from '../service/content/index.ts';
import { openDisputeCase } from '../service/disputes/index.ts';
import { switchOfferKind } from '../staff/brand-switches.ts';
import { levelOfferKind } from '../staff/levels/index.ts';
import type { BaseModules } from './compose-base.ts';
import type { PeopleModules, StaffModules } from './compose-people.ts';
import { isOfferingBoxes, isOfferingContracts, isSellingOptions } from './config.ts';
import { stopOfPurchase, stopOfSubscription } from './eligibility.ts';

/** Opens options and contracts, and the safeguards of those who trade. */
export async function openTradingModules(opened: BaseModules & StaffModules & PeopleModules) {
  const { config, secrets, database, reads, clock, bus, commands, brand, clockGuard, signer, onFault } = opened;
  const { ledger, market, coverOf, isOn, levels, offer, customers, messages, pauses, consents } = opened;
  const rulesTexts = openRulesWithoutParams({ database, brand, clock: clockGuard });
  const options = await openOptions({
    database,
    ledger: ledger.api,
    clock,
    bus,
    market: ticksForOptions(market.api),
    messages: messages.api,
    signer,
    accountSalt: secrets.accountSalt,
    rulesHash: () => rulesTexts.hash('options'),
    timeZone: brand.timeZone,
    isSelling: () => isOn('options'),
    onFault,
    openCase: openDisputeCase,
  });
  const contractIndex: Pick<ContractIndex, 'isStale' | 'lastPrice'> = {
    isStale: (coin, now) => market.api.isStale(coin, now) || market.api.isPaused(coin, now),
    lastPrice: (coin) => market.api.lastTick(coin)?.price ?? null,
  };
  const orderKey = createSecretKey(secrets.orderKey);
  const contracts = openContracts({
    database,
    reads,
    ledger: ledger.api,
    clock: clockGuard,
    bus,
    commands,
    market: {
      environment: market.api.environment,
      ...contractIndex,
      lastTick: (coin) => market.api.lastTick(coin),
      firstTickAfter: (coin, at) => market.api.firstTickAfter(coin, at),
      ticksBetween: (coin, from, to) => market.api.ticksBetween(coin, from, to),
    },
    levelOf: levels.api.levelOf,
    terms: () => contractTermsOf(offer.api.inForce, isOn('contracts')),
    coverOf,
    orderKey,
    frozenTraders: customers.api.frozenTraders,
    messages: messages.api,
    lockRecurring,
    onFault,
  });
  const recurring = openRecurring({
    database,
    contracts: contracts.api,
    index: contractIndex,
    clock: clockGuard,
    timeZone: brand.timeZone,
    orderKey,
    messages: messages.api,
    isFrozen: (queries, customer) => customers.api.isFrozen(queries, customer, 'trading'),
    stopOf: (customer, coin, now) =>
      stopOfPurchase({ pauses: pauses.api, consents: consents.api, isOffered: isOn, coverOf }, customer, coin, now),
    onFault,
  });
  const safeguards = openSafeguards({
    database,
    clock: clockGuard,
    messages: messages.api,
    timeZone: brand.timeZone,
    revokeOrders: async (customer, pause) => {
      const digest = `paused ${pause}`;
      const decision = await contracts.api.revokeAll(customer, null, { id: uuidOfName(digest), digest });
      if (!decision.ok) throw new Error(`open orders of a customer who stopped rest on: ${decision.refusal}`);
    },
    onFault,
  });
  return {
    rulesTexts,
    options,
    contracts,
    recurring,
    safeguards,
    marketLists: openMarketLists({
      market: market.api,
      optionTerms: options.api.optionTerms,
      tradeBars: contracts.api.tradeBars,
      contracts: isOfferingContracts(config),
    }),
    alerts: openAlerts({
      database,
      market: market.api,
      bus,
      clock: clockGuard,
      messages: messages.api,
      readPaused: safeguards.api.readPaused,
      onFault,
    }),
  };
}
export type TradingModules = Awaited<ReturnType<typeof openTradingModules>>;

/** Opens earning, boxes and invitations, and the terms of all products that the console may change. */
export async function openEarningModules(opened: BaseModules & StaffModules & PeopleModules & TradingModules) {
  const { config, database, reads, settler, bus, mode, brand, clockGuard, signer, ledger, onFault } = opened;
  const { isOn, switches, offer, rewards, customers, certifications, payees, isFrozen } = opened;
  const { secrets, messages, pauses, consents } = opened;
  const { rulesTexts, options } = opened;
  const earning = openEarning({
    database,
    reads,
    ledger: ledger.api,
    clock: clockGuard,
    bus,
    timeZone: brand.timeZone,
    isOffering: () => isOn('earning'),
    rules: (type, language) => shownRulesOf(rulesTexts, brand, type === 'liquidity' ? 'liquidity' : 'lockup', language),
    scheduled: () => offer.api.scheduled(),
    passwords: customers.api,
    bringTerms: offer.api.applyDue,
    lockStanding,
    onFault,
  });
  const standing = openStanding({
    database,
    earning: earning.api,
    clock: clockGuard,
    timeZone: brand.timeZone,
    orderKey: createSecretKey(secrets.orderKey),
    messages: messages.api,
    isFrozen: (queries, customer) => customers.api.isFrozen(queries, customer, 'trading'),
    stopOf: (customer, type, now) =>
      stopOfSubscription({ pauses: pauses.api, consents: consents.api, isOffered: isOn }, customer, type, now),
    onFault,
  });
  const beacon = openBeaconClient(config.beaconUrls, onFault);
  for (const kind of [
    ...earning.api.offerKinds,
    ...[feeOfferKind, coinOfferKind, levelOfferKind, withdrawalOfferKind, thresholdOfferKind],
    optionOfferKind({ ledger: ledger.api }),
    optionSaleOfferKind,
    switchOfferKind(switches),
    ladderOfferKind(rewards.api),
    boxOfferKind({ ledger: ledger.api, hasBeacon: beacon.has }),
  ])
    offer.api.addKind(kind);
  if (mode === 'demo') {
    const now = clockGuard.now();
    await earning.api.offerDemo(DEMO_TERMS, now);
    for (const terms of DEMO_TERMS)
      await offer.api.begin(offerKindNameOf(terms.product), String(terms.product), offerFieldsOf(terms), now);
    await options.api.offerDemoSales(now);
    for (const terms of DEMO_SALE_TERMS)
      await offer.api.begin(optionSaleOfferKind.name, terms.coin, saleOfferFieldsOf(terms), now);
  }
  return {
    earning,
    standing,
    boxes: openBoxes({
      database,
      reads,
      ledger: ledger.api,
      clock: clockGuard,
      signer,
      key: settler?.boxKey ?? null,
      isOffering: isOfferingBoxes(config),
      environment: mode,
      beacon,
      isLocked: (customer) => rewards.api.isLocked(database, customer),
      onFault,
    }),
    invites: openInvites({
      database,
      clock: clockGuard,
      timeZone: brand.timeZone,
      invitations: customers.api.invitations,
      certifiedAmong: certifications.api.certifiedAmong,
      verifiedSince: certifications.api.verifiedSince,
      sharePayee: payees.api.sharePayee,
      isFrozen,
      grantPoints: rewards.api.grantPoints,
      maskName,
      onFault,
    }),
  };
}
export type EarningModules = Awaited<ReturnType<typeof openEarningModules>>;

/** Opens operators' contents for customers, and the rules of the products. */
export function openTextModules(opened: BaseModules & StaffModules & PeopleModules & TradingModules & EarningModules) {
  const { config, database, mode, brand, clockGuard, market, operators, levels, onFault } = opened;
  const { files, customers, messages, rulesTexts, options, earning } = opened;
  const content = openContent({
    database,
    brand,
    mode,
    prices: market.api.environment,
    products: { options: isSellingOptions(config) ? 'open' : 'no_licence' },
    baseUrl: config.baseUrl,
    serviceUrl: config.serviceUrl,
    practiceUrl: config.practiceUrl,
    practiceOf: config.practiceOf?.origin ?? null,
    rulesTexts,
    rules: async () => ({
      stakeMin: amountText(options.api.stakeMin()),
      acceptSeconds: ACCEPTED_AFTER_MS / 1_000,
      gapSeconds: OPTION_GAP_MAX_MS / 1_000,
      disputeDays: 7,
      quickMax: amountText(QUICK_REDEMPTION_MAX),
      redemptionDays: NORMAL_REDEMPTION_DAYS,
      coverDays: FUND_COVER_DAYS,
      lockupDays: (await earning.api.products(clockGuard.now())).regular.products.map(({ days }) => days),
    }),
    clock: clockGuard,
    onFault,
    recentWins: async (now) => {
      const names = new Map<bigint, string>();
      const wins = await options.api.recentWins(now, async (owners) => {
        for (const [owner, name] of await customers.api.namesOfConsenting(owners)) names.set(owner, name);
        return new Set(names.keys());
      });
      return wins.map(({ owner, coin, amount, at }) => ({ name: names.get(owner) ?? '', coin, amount, at }));
    },
    inviteCodeOf: customers.api.inviteCodeOf,
    levelOf: levels.api.levelOf,
  });
  const { approvals, audit, stepUps, isWaiting, findWaitingApproval: findWaiting, workNameOf } = operators.api;
  const publishing = openPublishing({
    database,
    clock: clockGuard,
    brand,
    shelf: content.api.shelf,
    rules: content.api.rules,
    files: files.api,
    messages: messages.api,
    approvals,
    audit,
    stepUps,
    isWaiting,
    findWaiting,
    staffName: workNameOf,
    isCustomer: customers.api.exists,
    onFault,
  });
  operators.api.addApprovalKind('content', publishing.api.approvalKind);
  return {
    content,
    publishing,
    bahtRate: async () => {
      const [rate] = await content.api.rates.list('BAHT');
      const units = rate && parseDecimal(rate.rate, 6);
      const source = rate?.simulated ? ('simulated' as const) : ('market' as const);
      return rate && units ? { units, source, at: new Date(rate.at) } : null;
    },
  };
}
export type TextModules = ReturnType<typeof openTextModules>;
