import {
  announceAccounts,
  DEMO_BANK,
  fixedAccounts,
  openBankAccounts,
  openDeposits,
  RECOVERY_APPROVAL,
  readBankFile,
  readFeedKey,
} from '../money/deposits/index.ts';
import { channelTermsOf, heldUntil, openWithdrawals } from '../money/withdrawals/index.ts';
import { ed25519Signer } from '../platform/proofs/index.ts';
import { openSealer } from '../platform/sealing.ts';
import { readVotes } from '../staff/operators/index.ts';
import type { Opening } from './opening.ts';

/** Money in and out. */
export async function openPayments(opening: Opening): Promise<void> {
  const { rooms, clockGuard, config, secrets, database, bus, onFault, mode, brand, openedChain, bahtRate } = opening;
  // Read here, so that a broken file stops the start.
  const bankFile = config.bankFile === null ? null : readBankFile(config.bankFile);
  const feedKey = config.bankFeed && readFeedKey(config.bankFeed.key);
  rooms.deposits = openDeposits({
    database,
    messages: rooms.messages.api,
    ledger: rooms.ledger.api,
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
          const from = await announceAccounts(database, rooms.operators.api.audit, bankFile, now);
          if (from !== null) onFault(new Error(`alarm: other bank accounts count from ${from.toISOString()} on`));
        }
      : null,
    bahtRate,
    feed: feedKey && config.bankFeed && { from: config.bankFeed.from, key: feedKey },
    readPicture: (owner, id) => rooms.files.api.readPicture(owner, id),
    lookOf: (picture) => rooms.files.api.lookOf(picture),
    usernameOf: rooms.customers.api.usernameOf,
    workNameOf: rooms.operators.api.workNameOf,
    approvals: rooms.operators.api.approvals,
    stepUps: rooms.operators.api.stepUps,
    audit: rooms.operators.api.audit,
    findWaiting: rooms.operators.api.findWaitingApproval,
    payees: rooms.payees.api,
    heldUntil: async (queries, customer, now) =>
      heldUntil(await rooms.customers.api.credentialsChangedAt(queries, customer), now),
    customers: rooms.customers.api,
    freezes: { freeze: rooms.customers.api.freezeForReversal, end: rooms.customers.api.endReversalFreezes },
    concernedBy: async (customer) => {
      const inviter = await rooms.customers.api.invitations.inviterOf(database, customer);
      return inviter ? [customer, inviter.id] : [customer];
    },
    isFrozen: async (queries, customer) => (await rooms.customers.api.readFrozen(queries, [customer])).has(customer),
    pausedRefusal: rooms.safeguards.api.refusalOf,
    onFault,
  });
  rooms.operators.api.addApprovalKind(RECOVERY_APPROVAL, rooms.deposits.api.recoveryKind);
  rooms.withdrawals = openWithdrawals({
    database,
    messages: rooms.messages.api,
    ledger: rooms.ledger.api,
    bus,
    clock: clockGuard,
    timeZone: brand.timeZone,
    sealer: openSealer(secrets.identityKey, 'withdrawals'),
    authorise: ed25519Signer(secrets.authorisationKey).sign,
    chain: openedChain,
    hasBank: brand.hasBahtRails && (mode === 'demo' || bankFile !== null),
    bahtRate,
    payees: rooms.payees.api,
    customers: {
      ...rooms.customers.api,
      // Customers who may not withdraw, whatever else they may do.
      readFrozen: async (queries, ids) => {
        const frozen = new Set(await rooms.customers.api.readFrozen(queries, ids));
        for (const id of ids) if (await rooms.customers.api.isFrozen(queries, id, 'withdrawals')) frozen.add(id);
        return frozen;
      },
      lockFrozen: (transaction, ids) => rooms.customers.api.lockFrozen(transaction, ids, 'withdrawals'),
    },
    credentialsChangedAt: rooms.customers.api.credentialsChangedAt,
    terms: () => channelTermsOf(rooms.offer.api.inForce('withdrawal', 'all')),
    dailyMaxOf: async (queries, customer) =>
      (await rooms.levels.api.standingOf(queries, customer)).withdrawalDailyMax.units,
    approvals: rooms.operators.api.approvals,
    audit: rooms.operators.api.audit,
    findWaiting: rooms.operators.api.findWaitingApproval,
    usernameOf: rooms.customers.api.usernameOf,
    depositedOf: rooms.deposits.api.completedTotal,
    headOf: (code) => rooms.deposits.api.headOf(code),
    sentBack: (id, _hash, now) => rooms.deposits.api.sentBack(id, now),
    votesOf: (approvals) => readVotes(database, approvals),
    onFault,
  });
  rooms.operators.api.addApprovalKind('payout_foreign', rooms.withdrawals.api.foreignKind);
  rooms.operators.api.addApprovalKind('restoration_end', rooms.withdrawals.api.restorationKind);
}
