import type { DepositRecord } from '@sathorn/api';
import { parseMoney, zero } from '@sathorn/money';
import { LANGUAGES } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import { readKeys, readRestorations, trustStoredKeys } from '../platform/proofs/index.ts';
import { openBooks, openLiabilities, readNewestSums } from '../service/books/index.ts';
import { type ConsoleDependencies, openConsole } from '../service/console/index.ts';
import { correctionsOfDispute, openCorrections, readOwnCorrection } from '../service/corrections/index.ts';
import {
  DISPUTE_ANSWER_APPROVAL,
  MONEY_DISPUTE_APPROVAL,
  openDisputes,
  readDisputeFigures,
} from '../service/disputes/index.ts';
import { countOnChain, staffQueuesOf } from '../service/staff-queues.ts';
import { openStatus } from '../service/status/index.ts';
import { openSupport, READY_ANSWER_APPROVAL } from '../service/support/index.ts';
import { readVotes } from '../staff/operators/index.ts';
import type { BaseModules } from './compose-base.ts';
import type { PaymentModules } from './compose-payments.ts';
import type { PeopleModules, StaffModules } from './compose-people.ts';
import type { EarningModules, TradingModules } from './compose-products.ts';

/** How many unfinished deposits of a customer are searched for lost ones. */
const LOST_LOOKED_AT = 50;

/** Opens the modules between staff and customers, and the public pages: support, status, disputes, corrections. */
export function openCaseModules(opened: BaseModules & StaffModules & PeopleModules & TradingModules & PaymentModules) {
  const { config, database, reads, bus, checked, mode, clockGuard, chainOf, coverOf, onFault } = opened;
  const { ledger, market, operators, pauses, files, customers, messages, concernedBy } = opened;
  const { options, deposits, withdrawals } = opened;
  const { approvals, audit, findWaitingApproval: findWaiting, viewApproval, workNameOf } = operators.api;
  const { usernameOf } = customers.api;
  const votesOf = (ids: readonly string[]) => readVotes(database, ids);
  const support = openSupport({
    database,
    clock: clockGuard,
    bus,
    files: files.api,
    messages: messages.api,
    visitors: customers.api.visitors,
    usernameOf,
    staffName: workNameOf,
    findColleague: operators.api.findColleague,
    audit,
    approvals,
    isApprovalWaiting: operators.api.isWaiting,
    brand: config.brand,
    onFault,
  });
  operators.api.addApprovalKind(READY_ANSWER_APPROVAL, support.api.readyKind);
  const { counted, failingSince } = countOnChain(
    chainOf?.leader ? { config: chainOf.config, reader: chainOf.leader, addresses: chainOf.addresses } : null,
    () => clockGuard.now(),
  );
  const status = openStatus({
    database,
    reads,
    clock: clockGuard,
    timeZone: config.brand.timeZone,
    mode,
    market: market.api,
    ledger: ledger.api,
    signedSums: () => readNewestSums(reads),
    counted,
    coverOf,
    withdrawalTimes: withdrawals.api.times,
    payoutStop: withdrawals.api.payoutStop,
    latePayouts: withdrawals.api.countLatePayouts,
    custody: opened.treasury.api.custody,
    optionFigures: options.api.figures,
    coinFigures: options.api.coinFigures,
    waitFigures: options.api.waitFigures,
    pauseSums: pauses.api.sums,
    reversalsSince: deposits.api.reversalsSince,
    disputeFigures: (since, now) => readDisputeFigures(database, since, now),
    standings: options.api.standings,
    namesOfConsenting: customers.api.namesOfConsenting,
    countConsenting: customers.api.countConsenting,
    checked,
    operators: operators.api,
  });
  const findCustomer = async (query: string) => {
    const found = await customers.api.staff.find(query, null);
    return found?.rows.find((row) => row.username === query || String(row.id) === query) ?? null;
  };
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
      correction: (customer, id) =>
        readOwnCorrection({ database, ledger: ledger.api, votesOf, workNameOf }, customer, id),
      async receipt(hash) {
        try {
          return (await chainOf?.leader?.receipts([hash]))?.[0] ?? null;
        } catch {
          // The node does not answer, so the check fails.
          return null;
        }
      },
    },
    correctionsOf: correctionsOfDispute,
    options: options.api,
    keys: () => readKeys(database),
    messages: messages.api,
    usernameOf,
    staffName: workNameOf,
    concernedBy,
    audit,
    approvals,
    findWaiting,
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
  operators.api.addApprovalKind(DISPUTE_ANSWER_APPROVAL, disputes.api.answerKind);
  operators.api.addApprovalKind(MONEY_DISPUTE_APPROVAL, disputes.api.moneyAnswerKind);
  // True for a transfer on another network: only those are credited by a correction. A transfer on a chain may return
  // to a block, and bank money is matched with its order, so a correction would pay either of them twice.
  const isLost = ({ elsewhere }: DepositRecord): boolean =>
    elsewhere !== null && (elsewhere.ending === null || elsewhere.ending === 'credited');
  const corrections = openCorrections({
    database,
    clock: clockGuard,
    ledger: ledger.api,
    messages: messages.api,
    approvals,
    audit,
    votesOf,
    viewApproval,
    isCustomer: customers.api.exists,
    usernameOf,
    workNameOf,
    concernedBy,
    ownAccountOf: operators.api.ownAccountOf,
    async depositOf(customer, id) {
      const found = await deposits.api.read(customer, id);
      if (!found) return null;
      const openedBy = found.record.elsewhere && (await deposits.api.openerOf(customer, id));
      return {
        id: found.record.id,
        amount: parseMoney('USDT', found.record.amount) ?? zero('USDT'),
        isLost: isLost(found.record),
        openedBy,
      };
    },
    depositCorrected: deposits.api.corrected,
    findCustomer,
    disputesOf: disputes.api.listOf,
    incidentsSince: status.api.listIncidents,
    lostDepositsOf: async (customer) =>
      (await deposits.api.list(customer, 'undone', null, 0, LOST_LOOKED_AT))
        .map(({ record }) => record)
        .filter(isLost)
        .map(({ id, order_number: order, amount, created_at: at }) => ({ id, order, amount, at })),
    hasDispute: disputes.api.isOf,
    keys: async () => trustStoredKeys(await readKeys(database)),
    restorations: () => readRestorations(database),
    options: options.api,
    hasIncident: status.api.hasIncident,
    onFault,
  });
  operators.api.nameSubjects(async ({ kind, subject, about: customer }) => {
    // A decision about an operator is no case of a customer.
    if (customer === null || kind.startsWith('operator_')) return { number: null, customer: null };
    const movements = kind.startsWith('withdrawal')
      ? withdrawals.api
      : kind.startsWith('deposit')
        ? deposits.api
        : null;
    const [username, movement] = await Promise.all([usernameOf(customer), movements?.read(customer, subject)]);
    return { number: movement?.record.order_number ?? null, customer: { id: String(customer), username } };
  });
  return { support, status, disputes, corrections, findCustomer, counted, failingSince };
}
type CaseModules = ReturnType<typeof openCaseModules>;

/** Opens the pages on which staff read and act on customers. */
export function openDeskModules(
  opened: BaseModules & StaffModules & PeopleModules & TradingModules & EarningModules & PaymentModules & CaseModules,
  health: ConsoleDependencies['health'],
) {
  const { database, checked, mode, clockGuard, ledger, market, operators, certifications, customers, messages } =
    opened;
  const { payees, options, contracts, earning, deposits, withdrawals, support, disputes, corrections } = opened;
  const { counted, failingSince, findCustomer } = opened;
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
    queues: staffQueuesOf(database, certifications.api, support.api, disputes.api, corrections.api),
    counted,
    failingSince,
    exposures: () => options.api.exposures(),
    checked,
    health,
    async lateWork(now) {
      const [settler, signer, accrual] = await Promise.all([
        options.api.countUnsettled(now),
        withdrawals.api.countLatePayouts(now),
        earning.api.countLateAccruals(now),
      ]);
      return { settler, signer, accrual };
    },
    payoutStop: withdrawals.api.payoutStop,
    notableMatches: deposits.api.notableMatches,
    market: market.api,
    withdrawalTimes: withdrawals.api.times,
    paymentHours: withdrawals.api.paymentHours,
  });
  const liabilities = openLiabilities({
    database,
    signer: opened.signer,
    accountSalt: opened.secrets.accountSalt,
    mode,
    clock: opened.clockGuard,
    onFault: opened.onFault,
  });
  const books = openBooks({
    mode,
    database,
    ledger: ledger.api,
    audit: operators.api.audit,
    stepUps: operators.api.stepUps,
    usernameOf: customers.api.usernameOf,
    workNameOf: operators.api.workNameOf,
    findCustomer,
    counted,
    failingSince,
    checked,
    attestStatement: deposits.api.attestStatement,
  });
  return { staffConsole, books, liabilities };
}
