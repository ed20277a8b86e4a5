import path from 'node:path';
import { parseDecimal } from '@sathorn/money';
import { ACCEPTED_AFTER_MS, COVER_DAYS, NORMAL_REDEMPTION_DAYS, OPTION_GAP_MAX_MS } from '@sathorn/settlement';
import { LANGUAGES } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import { openAlerts } from './alerts/index.ts';
import { openBooks } from './books/index.ts';
import { boxOffer, demoBoxes, openBeacon, openBoxes } from './boxes/index.ts';
import { isSwitchedOn, type Switched, switchOffer } from './brand-switches.ts';
import type { Bus, Commands } from './bus/index.ts';
import { CERTIFICATION_REFUSAL, openCertifications } from './certifications/index.ts';
import { type ChainConfig, openAddresses, openChainReader } from './chain/index.ts';
import { openReport, type Report } from './checker/index.ts';
import type { Clock } from './clock.ts';
import { type ClockGuard, openClockGuard } from './clock-guard.ts';
import { type Config, isOfferingBoxes, isOfferingContracts, isSellingOptions } from './config.ts';
import { openConsents } from './consents/index.ts';
import { openConsole } from './console/index.ts';
import { maskName, openContent, openPublishing, type Publishing } from './content/index.ts';
import { coinOffer, contractTermsOf, feeOffer, openContracts } from './contracts/index.ts';
import { openCorrections } from './corrections/index.ts';
import { type Customers, openCustomers, openDemoOutbox } from './customers/index.ts';
import type { Database, Queries } from './database/index.ts';
import { openDemo } from './demo/index.ts';
import {
  announceAccounts,
  DEMO_BANK,
  fixedAccounts,
  openBankAccounts,
  openDeposits,
  RECOVERY_APPROVAL,
  readBankFile,
} from './deposits/index.ts';
import { ANSWER_KIND, MONEY_ANSWER_KIND, openDisputes } from './disputes/index.ts';
import { DEMO_TERMS, dateText, fieldsOf, localDays, offerKindOf, openEarning } from './earning/index.ts';
import type { OperatorSessions } from './edge/index.ts';
import { openFiles } from './files/index.ts';
import { gated } from './gates.ts';
import { openInvites } from './invites/index.ts';
import { type Ledger, openLedger, uuidOfName } from './ledger/index.ts';
import { levelOffer, levelTermsOf, openLevels } from './levels/index.ts';
import { liveOutboxOf } from './live-outbox.ts';
import { liveSources, type Market, openMarket, type Prices, ticksForOptions, wordAlarm } from './market/index.ts';
import { openMessages } from './messages/index.ts';
import { healthOf, type Module } from './module.ts';
import { OFFER_APPROVAL, openOffer } from './offer/index.ts';
import { openOperators, readMakers, readVotes } from './operators/index.ts';
import { type Options, openOptions, optionOffer } from './options/index.ts';
import { openPauses, PAUSE_END } from './pauses/index.ts';
import { openPayees, type Payees } from './payees/index.ts';
import { ed25519Signer, openProofs, readKeys } from './proofs/index.ts';
import { DEMO_LADDER, ladderFields, ladderOffer, openRewards } from './rewards/index.ts';
import { openSafeguards } from './safeguards/index.ts';
import { openSealer } from './sealing.ts';
import type { EdgeSecrets, IndexSecrets } from './secrets.ts';
import { countOnChain, staffQueues } from './staff-queues.ts';
import { openStatus } from './status/index.ts';
import { faultOfAnswer, openSupport, READY_KIND } from './support/index.ts';
import { termsNotice } from './terms-notice.ts';
import { channelTermsOf, openWithdrawals, thresholdOffer, withdrawalOffer } from './withdrawals/index.ts';

/** A process's rooms, with the interfaces that the startup code uses. */
export interface Modules {
  readonly all: readonly Module[];
  /** The database's time, and whether this process's clock agrees with it. */
  readonly clockGuard: ClockGuard;
  readonly ledger: Ledger;
  readonly market: Pick<Market, 'ready'>;
  readonly customers: Customers;
  readonly payees: Payees;
  readonly operators: OperatorSessions;
  readonly options: Pick<Options, 'stopSelling'>;
  readonly publishing: Pick<Publishing, 'readPicture'>;
  /** Publishes a demo's ladder and boxes, once its house is funded. */
  offerDemoRewards(now: Date): Promise<void>;
}

export interface ModulesDependencies {
  /** Connections for public reads, so that visitors delay only each other. */
  readonly reads: Queries;
  readonly config: Config;
  readonly secrets: EdgeSecrets;
  readonly chain: ChainConfig | null;
  readonly database: Database;
  /**
   * The database connection with the role that appends ticks, and the index's own secrets; null where this process is
   * not the index.
   */
  readonly index: { readonly database: Database; readonly secrets: IndexSecrets } | null;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly commands: Commands;
  /** The checker's latest report. */
  readonly checked: () => Report | null;
  readonly onFault: (error: unknown) => void;
}

function pricesOf({ config, index, onFault }: ModulesDependencies): Prices {
  if (config.mode === 'live') return { kind: 'live', environment: 'live', sources: liveSources({ onFault }) };
  if (config.replay) return { kind: 'replay', folder: config.replay };
  // Only the index uses the seed; other processes read what it published.
  return { kind: 'sim', seed: config.simSeed ?? index?.secrets.simSeed.toString('hex') ?? '' };
}

/** Opens every room after those that it needs. Nothing runs yet. */
export async function openModules(dependencies: ModulesDependencies): Promise<Modules> {
  const { config, secrets, chain, database, reads, index, clock, bus, commands, checked, onFault } = dependencies;
  const { mode, brand } = config;
  const demoOutbox =
    mode === 'demo' ? openDemoOutbox({ database, areas: [brand.areaCode, ...brand.otherAreaCodes] }) : null;

  const clockGuard = await openClockGuard({ database, clock, onFault });
  const ledger = openLedger({
    database,
    clock: clockGuard,
    bus,
    eligibility: {
      readFrozen: (queries, owners) => customers.api.readFrozen(queries, owners),
      refuseFrozen: (queries, owners) => customers.api.refuseFrozen(queries, owners),
      get guards() {
        return safeguards.api.guards;
      },
    },
  });
  const market = await openMarket({
    database,
    reads,
    clock,
    bus,
    publishing: index && { database: index.database, signer: ed25519Signer(index.secrets.indexKey) },
    prices: pricesOf(dependencies),
    products: {
      optionTerms: (coin) => options.api.optionTerms(coin),
      tradeBars: (...which) => contracts.api.tradeBars(...which),
      contracts: isOfferingContracts(config),
    },
    onFault,
    onAlarm: (alarm) => onFault(new Error(`alarm: ${wordAlarm(alarm)}`)),
  });
  const messages = openMessages({
    database,
    bus,
    clock: clockGuard,
    wording: { brandTitle: brand.title, timeZone: brand.timeZone },
    audienceOf: async (customer) => {
      const [level, joinedAt] = await Promise.all([levels.api.levelOf(customer), customers.api.joinedAt(customer)]);
      return { level, joinedAt };
    },
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
  const alerts = openAlerts({
    database,
    market: market.api,
    bus,
    clock: clockGuard,
    messages: messages.api,
    readPaused: safeguards.api.readPaused,
    pausedRefusal: safeguards.api.refusalOf,
    onFault,
  });
  const files = openFiles({ database, dataDir: path.resolve(config.dataDir), secrets });
  const customers = openCustomers({
    database,
    clock: clockGuard,
    bus,
    messages: messages.api,
    files: files.api,
    outbox: demoOutbox ?? liveOutboxOf(config, onFault),
    ledger: ledger.api,
    movements: {
      deposits: {
        list: (...of) => deposits.api.list(...of),
        read: (...of) => deposits.api.read(...of),
      },
      withdrawals: {
        list: (...of) => withdrawals.api.list(...of),
        read: (...of) => withdrawals.api.read(...of),
      },
    },
    standing: async (customer) => {
      const [{ primary, advanced }, level] = await Promise.all([
        certifications.api.stateOf(database, customer),
        levels.api.levelOf(customer),
      ]);
      const [reason = null] = [...advanced.reasons, ...primary.reasons];
      return { certification: { primary: primary.state, advanced: advanced.state, reason }, level };
    },
    priceOf: (coin) => market.api.lastTick(coin)?.price ?? null,
    mode,
    secrets,
    brand,
    origins: [new URL(config.baseUrl).origin, ...config.allowedOrigins],
    inviteCodes: config.inviteCodes,
    onFault,
  });
  const readers = chain?.rpcUrls.map((url) => openChainReader(chain, url)) ?? [];
  const [leader, ...others] = readers;
  const addresses = chain && openAddresses(database, chain);
  const openedChain =
    chain && leader && addresses ? { config: chain, readers: [leader, ...others] as const, addresses } : null;
  const bahtRate = async () => {
    const [rate] = await content.api.rates.list('BAHT');
    const units = rate && parseDecimal(rate.rate, 6);
    return rate && units ? { units, source: rate.simulated ? 'simulated' : 'market', at: new Date(rate.at) } : null;
  };
  const operators = openOperators({
    database,
    clock: clockGuard,
    mode,
    secrets,
    brandTitle: brand.title,
    signer: ed25519Signer(secrets.receiptKey),
    consoleUrl: config.consoleUrl ?? config.baseUrl,
    isCustomer: async (customer) => (await customers.api.staff.read(customer)) !== null,
    onFault,
  });
  const brandDays = localDays(brand.timeZone);
  const offer = await openOffer({
    database,
    clock: clockGuard,
    approvals: operators.api.approvals,
    audit: operators.api.audit,
    findWaiting: operators.api.findWaitingApproval,
    viewApproval: operators.api.viewApproval,
    makersOf: readMakers,
    workNameOf: operators.api.workNameOf,
    everybody: (...of) => customers.api.idsAfter(...of),
    notify(customer, change, now, once) {
      const { template, params } = termsNotice(change);
      return messages.api.send(customer, template, params, now, once);
    },
    customerView(change, language) {
      const { template, params } = termsNotice(change);
      return messages.api.preview(template, params, language);
    },
    midnights: {
      isOne: (moment) => brandDays.momentOf(brandDays.dayOf(moment), 0).getTime() === moment.getTime(),
      after: (moment) => brandDays.momentOf(brandDays.dayOf(moment) + 1, 0),
    },
    accruals: async () =>
      (await earning.api.accruals()).map(({ product, day, state, positions, chunks, chunksPaid }) => ({
        product: String(product),
        day: dateText(day),
        state,
        positions: Number(positions),
        chunks,
        chunks_paid: chunksPaid,
      })),
    brand: {
      title: brand.title,
      mode,
      licences: {
        options: config.licenceOfOptions,
        contracts: config.licenceOfContracts,
        earning: config.licenceOfEarning,
      },
      asks_consent: config.asksConsent,
    },
    onFault,
  });
  operators.api.addApprovalKind(OFFER_APPROVAL, offer.approval);
  const switches = {
    mode,
    licences: {
      options: config.licenceOfOptions,
      contracts: config.licenceOfContracts,
      earning: config.licenceOfEarning,
    },
    inForce: offer.api.inForce,
  };
  const isOn = (product: Switched): boolean => isSwitchedOn(switches, product);
  const pauses = openPauses({
    database,
    approvals: operators.api.approvals,
    audit: operators.api.audit,
    findWaiting: operators.api.findWaitingApproval,
    workNameOf: operators.api.workNameOf,
  });
  operators.api.addApprovalKind(PAUSE_END, pauses.approval);
  const consents = openConsents({ database, isAsked: config.asksConsent, timeZone: brand.timeZone });
  const gates = {
    isOffered: isOn,
    pauses: pauses.api,
    consents: consents.api,
    isPosted: async (intent: string) => (await ledger.api.transfersOf([intent])).length > 0,
  };
  const certifications = openCertifications({
    database,
    clock: clockGuard,
    files: files.api,
    messages: messages.api,
    secrets,
    timeZone: brand.timeZone,
    dailyMax: () => levelTermsOf(offer.api.inForce).daily,
    staffName: operators.api.workNameOf,
    usernameOf: customers.api.usernameOf,
    approvals: { open: operators.api.approvals.open, isWaiting: operators.api.isWaiting },
    audit: operators.api.audit,
    onFault,
  });
  operators.api.addApprovalKind(CERTIFICATION_REFUSAL, certifications.api.refusalKind);
  const payees = openPayees({
    database,
    messages: messages.api,
    secrets,
    customers: customers.api,
    certifiedNames: certifications.api.certifiedNames,
    // Empty where no withdrawals are paid.
    chains: () => (chain ? [{ code: chain.code, name: chain.name, standard: chain.standard }] : []),
    roleOfAddress: async (customer, code, address) => {
      if (!addresses || !leader || chain?.code !== code) return null;
      const owners = await addresses.ownersOf([address.toLowerCase()]);
      if (owners.get(address.toLowerCase()) === customer) return 'own_deposit';
      const bytecode = await leader.rpc.call<string>('eth_getCode', [address, 'latest']);
      return bytecode.length > 2 ? 'contract' : null;
    },
    onFault,
  });
  const levels = openLevels({
    database,
    clock: clockGuard,
    completedTotal: (queries, customer) => deposits.api.completedTotal(queries, customer),
    certifiedOf: certifications.api.certifiedOf,
    signInOf: (customer, now) => rewards.api.signInState(customer, now),
    terms: () => levelTermsOf(offer.api.inForce),
    fees: () => contractTermsOf(offer.api.inForce).fees,
  });
  const content = openContent({
    database,
    brand,
    mode,
    prices: market.api.environment,
    products: { options: isSellingOptions(config) ? 'open' : 'no_licence' },
    baseUrl: config.baseUrl,
    serviceUrl: config.serviceUrl,
    rules: {
      stakeMin: '1 USDT',
      acceptSeconds: ACCEPTED_AFTER_MS / 1_000,
      gapSeconds: OPTION_GAP_MAX_MS / 1_000,
      disputeDays: 7,
      quickMax: '30,000,000 USDT',
      redemptionDays: NORMAL_REDEMPTION_DAYS,
      coverDays: COVER_DAYS,
    },
    recentWins: async (now) => {
      const names = new Map<bigint, string>();
      const wins = await options.api.recentWins(now, async (owners) => {
        for (const [owner, name] of await customers.api.namesOfConsenting(owners)) names.set(owner, name);
        return new Set(names.keys());
      });
      return wins.map(({ owner, coin, amount, at }) => ({ name: names.get(owner) ?? '', coin, amount, at }));
    },
    inviteCodeOf: (customer) => customers.api.inviteCodeOf(customer),
    levelOf: levels.api.levelOf,
  });
  const publishing = openPublishing({
    database,
    clock: clockGuard,
    brand,
    shelf: content.api.shelf,
    rules: content.api.rules,
    files: files.api,
    messages: messages.api,
    approvals: operators.api.approvals,
    audit: operators.api.audit,
    stepUps: operators.api.stepUps,
    isWaiting: operators.api.isWaiting,
    findWaiting: operators.api.findWaitingApproval,
    staffName: operators.api.workNameOf,
    isCustomer: customers.api.exists,
    onFault,
  });
  operators.api.addApprovalKind('content', publishing.api.approvalKind);
  await content.api.keepRules();
  const options: Module<Options> = await openOptions({
    database,
    ledger: ledger.api,
    clock,
    bus,
    market: ticksForOptions(market.api),
    messages: messages.api,
    signer: ed25519Signer(secrets.receiptKey),
    accountSalt: secrets.accountSalt,
    rulesHash: () => content.api.rules.hash('options'),
    timeZone: brand.timeZone,
    isSelling: () => isOn('options'),
    onFault,
    openCase: (transaction, dispute) => disputes.api.openCase(transaction, dispute),
  });
  const contracts = openContracts({
    database,
    reads,
    ledger: ledger.api,
    clock: clockGuard,
    bus,
    commands,
    market: {
      environment: market.api.environment,
      isStale: (coin, now) => market.api.isStale(coin, now) || market.api.isPaused(coin, now),
      lastPrice: (coin) => market.api.lastTick(coin)?.price ?? null,
    },
    levelOf: levels.api.levelOf,
    // Whether it is offered at all changes with the brand's switches, which `terms` knows.
    isOffering: true,
    terms: () => contractTermsOf(offer.api.inForce, isOn('contracts')),
    onFault,
  });
  // Read here, so that a broken file stops the start.
  const bankFile = config.bankFile === null ? null : readBankFile(config.bankFile);
  const deposits = openDeposits({
    database,
    messages: messages.api,
    ledger: ledger.api,
    bus,
    clock: clockGuard,
    mode,
    timeZone: brand.timeZone,
    chain: openedChain,
    banks: bankFile
      ? await openBankAccounts(database)
      : fixedAccounts(mode === 'demo' && brand.hasBahtRails ? DEMO_BANK : null),
    announce: bankFile
      ? async (now) => {
          const from = await announceAccounts(database, operators.api.audit, bankFile, now);
          if (from !== null) onFault(new Error(`alarm: other bank accounts count from ${from.toISOString()} on`));
        }
      : null,
    bahtRate,
    readPicture: (owner, id) => files.api.readPicture(owner, id),
    usernameOf: customers.api.usernameOf,
    approvals: operators.api.approvals,
    audit: operators.api.audit,
    findWaiting: operators.api.findWaitingApproval,
    payees: payees.api,
    customers: customers.api,
    freezes: { freeze: customers.api.freezeForReversal, end: customers.api.endReversalFreezes },
    isFrozen: async (queries, customer) => (await customers.api.readFrozen(queries, [customer])).has(customer),
    pausedRefusal: safeguards.api.refusalOf,
    onFault,
  });
  operators.api.addApprovalKind(RECOVERY_APPROVAL, deposits.api.recoveryKind);
  const withdrawals = openWithdrawals({
    database,
    messages: messages.api,
    ledger: ledger.api,
    bus,
    clock: clockGuard,
    timeZone: brand.timeZone,
    sealer: openSealer(secrets.identityKey, 'withdrawals'),
    chain: openedChain,
    hasBank: brand.hasBahtRails && (mode === 'demo' || bankFile !== null),
    bahtRate,
    payees: payees.api,
    customers: {
      ...customers.api,
      // Customers who may not withdraw, whatever else they may do.
      readFrozen: async (queries, ids) => {
        const frozen = new Set(await customers.api.readFrozen(queries, ids));
        for (const id of ids) if (await customers.api.isFrozen(queries, id, 'withdrawals')) frozen.add(id);
        return frozen;
      },
      lockFrozen: (transaction, ids) => customers.api.lockFrozen(transaction, ids, 'withdrawals'),
    },
    credentialsChangedAt: customers.api.credentialsChangedAt,
    terms: () => channelTermsOf(offer.api.inForce('withdrawal', 'all')),
    dailyMaxOf: async (queries, customer) => (await levels.api.standingOf(queries, customer)).withdrawalDailyMax.units,
    approvals: operators.api.approvals,
    audit: operators.api.audit,
    findWaiting: operators.api.findWaitingApproval,
    usernameOf: customers.api.usernameOf,
    depositedOf: deposits.api.completedTotal,
    headOf: (code) => deposits.api.headOf(code),
    sentBack: (id, _hash, now) => deposits.api.sentBack(id, now),
    votesOf: (approvals) => readVotes(database, approvals),
    onFault,
  });
  const earning = openEarning({
    database,
    reads,
    ledger: ledger.api,
    clock: clockGuard,
    bus,
    timeZone: brand.timeZone,
    isOffering: () => isOn('earning'),
    rules: (type, language) => content.api.rules.content(type === 'liquidity' ? 'liquidity' : 'lockup', language),
    scheduled: () => offer.api.scheduled(),
    passwords: customers.api,
    bringTerms: (now) => offer.api.applyDue(now),
    onFault,
  });
  const kinds = [
    ...[feeOffer, coinOffer, levelOffer, withdrawalOffer, thresholdOffer],
    optionOffer({ ledger: ledger.api }),
    switchOffer(switches),
  ];
  const rewards = openRewards({ database, ledger: ledger.api, timeZone: brand.timeZone });
  const beacon = openBeacon(config.beaconUrls, onFault);
  const ofRewards = [ladderOffer(rewards.api), boxOffer({ ledger: ledger.api, hasBeacon: beacon.has })];
  for (const kind of [...earning.api.offerKinds, ...kinds, ...ofRewards]) offer.api.addKind(kind);
  if (mode === 'demo') {
    const now = clockGuard.now();
    await earning.api.offerDemo(DEMO_TERMS, now);
    for (const terms of DEMO_TERMS)
      await offer.api.begin(offerKindOf(terms.product), String(terms.product), fieldsOf(terms), now);
  }
  const boxes = openBoxes({
    database,
    reads,
    ledger: ledger.api,
    clock: clockGuard,
    signer: ed25519Signer(secrets.receiptKey),
    key: secrets.boxKey,
    isOffering: isOfferingBoxes(config),
    environment: mode,
    beacon,
    pausedRefusal: safeguards.api.refusalOf,
    onFault,
  });
  const invites = openInvites({
    database,
    clock: clockGuard,
    timeZone: brand.timeZone,
    invitations: customers.api.invitations,
    isCertified: async (queries, customer) => (await certifications.api.certifiedOf(queries, customer)) !== 'none',
    verifiedSince: certifications.api.verifiedSince,
    sharePayee: payees.api.sharePayee,
    isFrozen: async (queries, customer) => (await customers.api.readFrozen(queries, [customer])).has(customer),
    grantPoints: (...of) => rewards.api.grantPoints(...of),
    maskName,
    onFault,
  });
  const support = openSupport({
    database,
    clock: clockGuard,
    bus,
    files: files.api,
    messages: messages.api,
    usernameOf: customers.api.usernameOf,
    staffName: operators.api.workNameOf,
    findColleague: operators.api.findColleague,
    audit: operators.api.audit,
    approvals: operators.api.approvals,
    isApprovalWaiting: operators.api.isWaiting,
    onFault,
  });
  operators.api.addApprovalKind(READY_KIND, support.api.readyKind);
  const counted = countOnChain(
    openedChain && { config: openedChain.config, reader: openedChain.readers[0], addresses: openedChain.addresses },
  );
  const status = openStatus({
    database,
    reads,
    clock: clockGuard,
    timeZone: config.brand.timeZone,
    mode,
    market: market.api,
    ledger: ledger.api,
    counted,
    withdrawalTimes: withdrawals.api.times,
    optionFigures: options.api.figures,
    pauseSums: pauses.api.sums,
    disputeFigures: (since, now) => disputes.api.figures(since, now),
    standings: options.api.standings,
    namesOfConsenting: customers.api.namesOfConsenting,
    countConsenting: customers.api.countConsenting,
    checked,
    operators: operators.api,
  });
  const concernedBy = async (customer: bigint): Promise<readonly bigint[]> => {
    const inviter = await customers.api.invitations.inviterOf(database, customer);
    return inviter ? [customer, inviter.id] : [customer];
  };
  const corrections = openCorrections({
    database,
    clock: clockGuard,
    ledger: ledger.api,
    messages: messages.api,
    approvals: operators.api.approvals,
    audit: operators.api.audit,
    votesOf: (approvals) => readVotes(database, approvals),
    viewApproval: operators.api.viewApproval,
    isCustomer: customers.api.exists,
    usernameOf: customers.api.usernameOf,
    workNameOf: operators.api.workNameOf,
    concernedBy,
    ownAccountOf: operators.api.ownAccountOf,
    async depositOf(customer, id) {
      const found = await deposits.api.read(customer, id);
      if (!found) return null;
      const { status, step, recovery, amount } = found.record;
      // A kept transfer has its own way: it is credited or sent back by two people.
      const isLost = status === 'failed' && step !== 'recovery' && recovery === null;
      return { units: parseDecimal(amount, 6) ?? 0n, isLost };
    },
    hasDispute: (customer, id) => disputes.api.isOf(customer, id),
    hasIncident: status.api.hasIncident,
    bahtRate: async () => (await bahtRate())?.units ?? null,
    onFault,
  });
  const disputes = openDisputes({
    database,
    clock: clockGuard,
    ledger: ledger.api,
    records: {
      deposit: deposits.api.evidence,
      async withdrawal(customer, id) {
        const found = await withdrawals.api.read(customer, id);
        return found && { record: found.record, journal: found.journal };
      },
      correction: corrections.api.readOwn,
      async receipt(hash) {
        try {
          return (await leader?.receipts([hash]))?.[0] ?? null;
        } catch {
          // The node does not answer; the check then fails rather than passes.
          return null;
        }
      },
    },
    correctionsOf: corrections.api.ofDispute,
    options: options.api,
    keys: () => readKeys(database),
    messages: messages.api,
    usernameOf: customers.api.usernameOf,
    staffName: operators.api.workNameOf,
    concernedBy,
    audit: operators.api.audit,
    approvals: operators.api.approvals,
    findWaiting: operators.api.findWaitingApproval,
    faultOfAnswer,
    onFaultConfirmed: async (transaction, { dispute, order, operator }) => {
      const texts = Object.fromEntries(
        LANGUAGES.map((language) => [language, translate(language, 'edge.settlement_fault')]),
      );
      await pauses.api.start(transaction, { kind: 'product', subject: 'options', texts, operator });
      await status.api.openIncident(transaction, { severity: 'degraded', parts: ['options'], texts, operator });
      onFault(new Error(`alarm: dispute ${dispute} confirms a fault in the settlement of option ${order}`));
    },
    onFault,
  });
  operators.api.addApprovalKind(ANSWER_KIND, disputes.api.answerKind);
  operators.api.addApprovalKind(MONEY_ANSWER_KIND, disputes.api.moneyAnswerKind);
  const staffConsole = openConsole({
    database,
    clock: clockGuard,
    customers: customers.api.staff,
    ledger: ledger.api,
    operators: operators.api,
    messages: messages.api,
    options: options.api,
    contracts: contracts.api,
    payees: payees.api,
    queues: staffQueues(database, certifications.api, support.api, disputes.api, corrections.api),
    counted,
    exposures: () => options.api.exposures(),
    checked,
    health: async (now) => healthOf(all, now),
  });
  const books = openBooks({
    database,
    ledger: ledger.api,
    audit: operators.api.audit,
    usernameOf: customers.api.usernameOf,
    workNameOf: operators.api.workNameOf,
    async findCustomer(query) {
      const found = await customers.api.staff.find(query, null);
      return found?.rows.find((row) => row.username === query) ?? found?.rows[0] ?? null;
    },
    counted,
    checked,
  });
  const all: readonly Module[] = [
    openReport({ latest: checked }),
    ledger,
    market,
    messages,
    files,
    customers,
    operators,
    offer,
    pauses,
    consents,
    certifications,
    payees,
    levels,
    safeguards,
    alerts,
    content,
    publishing,
    gated(options, gates),
    gated(contracts, gates),
    gated(deposits, gates),
    gated(withdrawals, gates),
    gated(earning, gates),
    rewards,
    boxes,
    invites,
    books,
    corrections,
    disputes,
    support,
    status,
    staffConsole,
    openProofs({ reads }),
    ...(demoOutbox
      ? [openDemo({ ledger: ledger.api, outbox: demoOutbox, pausedRefusal: safeguards.api.refusalOf })]
      : []),
  ];
  const offerDemoRewards = async (now: Date): Promise<void> => {
    await rewards.api.offerDemo(DEMO_LADDER, now);
    await offer.api.begin('ladder', 'daily', ladderFields(DEMO_LADDER), now);
    await boxes.api.offerDemo(demoBoxes, now);
  };
  return {
    clockGuard,
    offerDemoRewards,
    ledger: ledger.api,
    market: market.api,
    customers: customers.api,
    payees: payees.api,
    operators: {
      resolve: (token, now) => operators.api.sessions.resolve(token, now),
      refused: (operator, route) => operators.api.refused(operator, route),
    },
    options: options.api,
    publishing: publishing.api,
    all,
  };
}
