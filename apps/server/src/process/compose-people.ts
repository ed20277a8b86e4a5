import path from 'node:path';
import { payeeRefusal } from '@sathorn/settlement';
import { readNewestAccruals } from '../earning/earning/index.ts';
import { openRewards } from '../earning/rewards/index.ts';
import { contractTermsOf } from '../exchange/contracts/index.ts';
import { houseAddressesAmong } from '../money/chain/index.ts';
import { readInflows } from '../money/deposits/index.ts';
import { openPayees } from '../money/payees/index.ts';
import { readOutflows } from '../money/withdrawals/index.ts';
import {
  CERTIFICATION_REFUSAL,
  openCertifications,
  readCertificationState,
  readCertifiedAmong,
  readCertifiedLevel,
} from '../people/certifications/index.ts';
import { openConsents } from '../people/consents/index.ts';
import { FACTOR_RESET_KIND, isCustomer, listCustomerIdsAfter, openCustomers } from '../people/customers/index.ts';
import { openMessages } from '../people/messages/index.ts';
import { openPush } from '../people/push/index.ts';
import type { Queries } from '../platform/database/index.ts';
import { openFiles } from '../platform/files/index.ts';
import { dateText, localDays } from '../platform/local-day.ts';
import { isLockingRewards, isSwitchedOn, type SwitchableProduct } from '../staff/brand-switches.ts';
import { levelTermsOf, openLevels } from '../staff/levels/index.ts';
import { OFFER_APPROVAL, openOffer } from '../staff/offer/index.ts';
import { openOperators, readApprovalMakers, readVotes } from '../staff/operators/index.ts';
import { openPauses, PAUSE_END_APPROVAL } from '../staff/pauses/index.ts';
import { termsNoticeOf } from '../staff/terms-notice.ts';
import type { BaseModules } from './compose-base.ts';
import { liveOutboxOf } from './live-outbox.ts';

/** Opens operators, the offer with its terms, and the modules that depend on these terms. */
export async function openStaffModules(base: BaseModules) {
  const { config, secrets, database, chain, mode, brand, clockGuard, signer, ledger, notices, onFault } = base;
  const operators = openOperators({
    database,
    clock: clockGuard,
    mode,
    secrets,
    brandTitle: brand.title,
    signer,
    consoleUrl: config.consoleUrl ?? config.baseUrl,
    deviceKeys: config.deviceKeys,
    isCustomer: (customer) => isCustomer(database, customer),
    onFault,
  });
  const { approvals, audit, findWaitingApproval: findWaiting, viewApproval, workNameOf } = operators.api;
  const licences = {
    options: config.licenceOfOptions,
    contracts: config.licenceOfContracts,
    earning: config.licenceOfEarning,
  };
  const brandDays = localDays(brand.timeZone);
  const offer = await openOffer({
    database,
    clock: clockGuard,
    approvals,
    audit,
    findWaiting,
    viewApproval,
    makersOf: readApprovalMakers,
    workNameOf,
    everybody: listCustomerIdsAfter,
    notify(customer, change, now, once) {
      const { template, params } = termsNoticeOf(change);
      return notices.send(customer, template, params, now, once);
    },
    customerView(change, language) {
      const { template, params } = termsNoticeOf(change);
      return notices.preview(template, params, language);
    },
    midnights: {
      isOne: (moment) => brandDays.momentOf(brandDays.dayOf(moment), 0).getTime() === moment.getTime(),
      after: (moment) => brandDays.momentOf(brandDays.dayOf(moment) + 1, 0),
    },
    accruals: async () =>
      (await readNewestAccruals(database)).map(({ product, day, state, positions, chunks, chunksPaid }) => ({
        product: String(product),
        day: dateText(day),
        state,
        positions: Number(positions),
        chunks,
        chunks_paid: chunksPaid,
      })),
    brand: { title: brand.title, mode, licences, asks_consent: config.asksConsent },
    onFault,
  });
  operators.api.addApprovalKind(OFFER_APPROVAL, offer.approval);
  const pauses = openPauses({
    database,
    approvals,
    audit,
    findWaiting,
    workNameOf,
    channels: [...(chain ? [chain.code] : []), 'bank', 'promptpay'],
  });
  operators.api.addApprovalKind(PAUSE_END_APPROVAL, pauses.approval);
  const { inForce } = offer.api;
  const switches = { mode, licences, inForce };
  const rewards = openRewards({
    database,
    ledger: ledger.api,
    timeZone: brand.timeZone,
    clock: clockGuard,
    lock: { isOn: () => isLockingRewards(switches), certifiedAmong: readCertifiedAmong },
    onFault,
  });
  const levels = openLevels({
    database,
    clock: clockGuard,
    flowsOf: async (queries, customer) => [
      ...(await readInflows(queries, customer)),
      ...(await readOutflows(queries, customer)),
    ],
    certifiedOf: readCertifiedLevel,
    signInOf: rewards.api.signInState,
    terms: () => levelTermsOf(inForce),
    fees: () => contractTermsOf(inForce).fees,
  });
  return {
    operators,
    offer,
    pauses,
    consents: openConsents({ database, isAsked: config.asksConsent, timeZone: brand.timeZone }),
    rewards,
    levels,
    switches,
    isOn: (product: SwitchableProduct): boolean => isSwitchedOn(switches, product),
  };
}
export type StaffModules = Awaited<ReturnType<typeof openStaffModules>>;

/** Opens customers, their contents, and their payees. */
export function openPeopleModules(opened: BaseModules & StaffModules) {
  const { config, secrets, database, bus, mode, brand, demoOutbox, clockGuard, chain, chainOf, onFault } = opened;
  const { ledger, market, wording, notices, operators, offer, levels, rewards } = opened;
  const { approvals, audit, isWaiting, workNameOf } = operators.api;
  const files = openFiles({ database, dataDir: path.resolve(config.dataDir), secrets });
  const customers = openCustomers({
    database,
    clock: clockGuard,
    bus,
    messages: notices,
    files: files.api,
    outbox: demoOutbox ?? liveOutboxOf(config, onFault),
    ledger: ledger.api,
    standing: async (customer) => {
      const [{ primary, advanced }, level] = await Promise.all([
        readCertificationState(database, customer),
        levels.api.levelOf(customer),
      ]);
      const [reason = null] = [...advanced.reasons, ...primary.reasons];
      return { certification: { primary: primary.state, advanced: advanced.state, reason }, level };
    },
    priceOf: (coin) => market.api.lastTick(coin)?.price ?? null,
    mode,
    isPractice: config.practiceOf !== null,
    secrets,
    brand,
    origins: [new URL(config.baseUrl).origin, ...config.allowedOrigins],
    inviteCodes: config.inviteCodes,
    desk: { approvals, audit, votesOf: readVotes },
    onFault,
  });
  const { antiPhishingWord, factorResets, invitations, joinedAt, openSessionsOf, readFrozen, usernameOf } =
    customers.api;
  if (factorResets) operators.api.addApprovalKind(FACTOR_RESET_KIND, factorResets.kind);
  const messages = openMessages({
    database,
    bus,
    clock: clockGuard,
    wording,
    notices,
    wordOf: antiPhishingWord,
    audienceOf: async (customer) => {
      const [level, joined] = await Promise.all([levels.api.levelOf(customer), joinedAt(customer)]);
      return { level, joinedAt: joined };
    },
    onFault,
  });
  const push = openPush({
    database,
    clock: clockGuard,
    bus,
    messages: messages.api,
    secrets,
    // Push services accept no http: address.
    contact: config.pushContact ?? new URL(config.baseUrl).origin.replace(/^http:/, 'https:'),
    brand: brand.title,
    openSessionsOf,
    onFault,
  });
  const certifications = openCertifications({
    database,
    clock: clockGuard,
    files: files.api,
    messages: messages.api,
    secrets,
    timeZone: brand.timeZone,
    dailyMax: () => levelTermsOf(offer.api.inForce).daily,
    staffName: workNameOf,
    usernameOf,
    approvals: { ...approvals, isWaiting },
    stepUps: operators.api.stepUps,
    audit,
    rewards: { inTransaction: ledger.api.payMany, release: rewards.api.release },
    onFault,
  });
  operators.api.addApprovalKind(CERTIFICATION_REFUSAL, certifications.api.refusalKind);
  const payees = openPayees({
    database,
    messages: messages.api,
    secrets,
    customers: customers.api,
    certifiedNames: certifications.api.certifiedNames,
    // Empty if no withdrawals are paid.
    chains: () => (chain ? [{ code: chain.code, name: chain.name, standard: chain.standard }] : []),
    refusalOfAddress: async (customer, code, given) => {
      if (!chainOf?.leader || chainOf.config.code !== code) return null;
      const address = given.toLowerCase();
      const [owners, house, bytecode] = await Promise.all([
        chainOf.addresses.ownersOf([address]),
        houseAddressesAmong(database, code, [address]),
        chainOf.leader.rpc.call<string>('eth_getCode', [address, 'latest']),
      ]);
      return payeeRefusal({
        customer,
        owner: owners.get(address) ?? null,
        isHouse: house.has(address),
        isContract: bytecode.length > 2,
      });
    },
    onFault,
  });
  return {
    files,
    customers,
    messages,
    push,
    certifications,
    payees,
    isFrozen: async (queries: Queries, customer: bigint) => (await readFrozen(queries, [customer])).has(customer),
    /** The customer and their inviter. */
    concernedBy: async (customer: bigint): Promise<readonly bigint[]> => {
      const inviter = await invitations.inviterOf(database, customer);
      return inviter ? [customer, inviter.id] : [customer];
    },
  };
}
export type PeopleModules = ReturnType<typeof openPeopleModules>;
