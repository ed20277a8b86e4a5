import { createSecretKey } from 'node:crypto';
import { clearedSequenceOf } from '../checker/checker/index.ts';
import {
  announceBankAccounts,
  DEMO_BANK,
  fixedBankAccounts,
  openBankAccounts,
  openDeposits,
  RECOVERY_APPROVAL_KIND,
  readBankFeedKey,
  readBankFile,
} from '../money/deposits/index.ts';
import { demoOwnerOf, openTreasury } from '../money/treasury/index.ts';
import { channelTermsOf, credentialsDelayUntil, openWithdrawals } from '../money/withdrawals/index.ts';
import { openAccountRecords } from '../people/customers/index.ts';
import { ed25519Signer } from '../platform/proofs/index.ts';
import { openSealer } from '../platform/sealing.ts';
import { readVotes } from '../staff/operators/index.ts';
import type { BaseModules } from './compose-base.ts';
import type { PeopleModules, StaffModules } from './compose-people.ts';
import type { TextModules, TradingModules } from './compose-products.ts';

/** Opens deposits and withdrawals. */
export async function openPaymentModules(
  opened: BaseModules & StaffModules & PeopleModules & TradingModules & TextModules,
) {
  const {
    config,
    secrets,
    settler,
    watcher,
    database,
    bus,
    mode,
    brand,
    clockGuard,
    chainOf,
    bahtRate,
    ledger,
    market,
    onFault,
  } = opened;
  const { operators, offer, levels, files, customers, messages, payees, isFrozen, concernedBy } = opened;
  const { approvals, audit, findWaitingApproval: findWaiting, stepUps, workNameOf } = operators.api;
  const { credentialsChangedAt, usernameOf } = customers.api;
  const chain = chainOf?.opened ?? null;
  // Read at this point, so that a broken file stops the start.
  const bankFile = config.bankFile === null ? null : readBankFile(config.bankFile);
  const bankSealer = openSealer(secrets.identityKey, 'bank accounts');
  const feedKey = config.bankFeed && readBankFeedKey(config.bankFeed.key);
  const deposits = openDeposits({
    database,
    messages: messages.api,
    ledger: ledger.api,
    bus,
    clock: clockGuard,
    mode,
    timeZone: brand.timeZone,
    chain,
    banks: bankFile
      ? await openBankAccounts(database, bankSealer, onFault)
      : fixedBankAccounts(mode === 'demo' && brand.hasBahtRails ? DEMO_BANK : null),
    announce: bankFile
      ? async (now) => {
          const from = await announceBankAccounts(database, audit, bankSealer, bankFile, now);
          if (from !== null) onFault(new Error(`alarm: other bank accounts count from ${from.toISOString()} on`));
        }
      : null,
    sealer: openSealer(secrets.identityKey, 'deposits'),
    watchKey: watcher && createSecretKey(watcher.watchKey),
    bahtRate,
    feed: feedKey && config.bankFeed && { from: config.bankFeed.from, key: feedKey },
    readPicture: files.api.readPicture,
    lookOf: files.api.lookOf,
    usernameOf,
    workNameOf,
    approvals,
    stepUps,
    audit,
    findWaiting,
    payees: payees.api,
    heldUntil: async (queries, customer, now) =>
      credentialsDelayUntil(await credentialsChangedAt(queries, customer), now),
    customers: customers.api,
    freezes: { freeze: customers.api.freezeForReversal, end: customers.api.endReversalFreezes },
    concernedBy,
    isFrozen,
    onFault,
  });
  operators.api.addApprovalKind(RECOVERY_APPROVAL_KIND, deposits.api.recoveryKind);
  const withdrawals = openWithdrawals({
    database,
    messages: messages.api,
    ledger: ledger.api,
    bus,
    clock: clockGuard,
    timeZone: brand.timeZone,
    sealer: openSealer(secrets.identityKey, 'withdrawals'),
    authorise: ed25519Signer(secrets.authorisationKey).sign,
    refusalKey: settler && createSecretKey(settler.payoutKey),
    chain,
    hasBank: brand.hasBahtRails && (mode === 'demo' || bankFile !== null),
    bahtRate,
    payees: payees.api,
    customers: {
      ...customers.api,
      // Returns the customers who may not withdraw, whatever else they may do.
      readFrozen: async (queries, ids) => {
        const frozen = new Set(await customers.api.readFrozen(queries, ids));
        for (const id of ids) if (await customers.api.isFrozen(queries, id, 'withdrawals')) frozen.add(id);
        return frozen;
      },
      lockFrozen: (transaction, ids) => customers.api.lockFrozen(transaction, ids, 'withdrawals'),
    },
    credentialsChangedAt,
    terms: () => channelTermsOf(offer.api.inForce('withdrawal', 'all')),
    dailyMaxOf: async (queries, customer) => (await levels.api.standingOf(queries, customer)).withdrawalDailyMax,
    approvals,
    audit,
    findWaiting,
    stepUps,
    workNameOf,
    usernameOf,
    depositedOf: deposits.api.completedTotal,
    headOf: deposits.api.headOf,
    sentBack: (id, _hash, now) => deposits.api.sentBack(id, now),
    votesOf: (ids) => readVotes(database, ids),
    clearedUpTo: () => clearedSequenceOf(opened.checked(), clockGuard.now()),
    onFault,
  });
  operators.api.addApprovalKind('payout_foreign', withdrawals.api.foreignKind);
  operators.api.addApprovalKind('restoration_end', withdrawals.api.restorationKind);
  return {
    deposits,
    withdrawals,
    treasury: openTreasury({
      database,
      clock: clockGuard,
      chain,
      audit,
      demoOwner: mode === 'demo' ? (workName) => demoOwnerOf(secrets.sessionKey, workName) : null,
      coldOwners: config.treasuryColdOwners,
      consoleHost: new URL(config.consoleUrl ?? config.baseUrl).hostname,
      usernameOf,
      workNameOf,
      operators: operators.api,
      onFault,
    }),
    records: openAccountRecords({
      ledger: ledger.api,
      secrets,
      movements: { deposits: deposits.api, withdrawals: withdrawals.api },
      dailyCloses: (coin, before, limit) => market.api.bars(coin, '1d', before, limit),
    }),
  };
}
export type PaymentModules = Awaited<ReturnType<typeof openPaymentModules>>;
