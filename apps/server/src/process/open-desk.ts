import type { DepositRecord } from '@sathorn/api';
import { parseDecimal } from '@sathorn/money';
import { LANGUAGES } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import { healthOf } from '../platform/module.ts';
import { readKeys, readRestorations, trustStoredKeys } from '../platform/proofs/index.ts';
import { openBooks } from '../service/books/index.ts';
import { openConsole } from '../service/console/index.ts';
import { openCorrections } from '../service/corrections/index.ts';
import { ANSWER_KIND, MONEY_ANSWER_KIND, openDisputes } from '../service/disputes/index.ts';
import { countOnChain, staffQueues } from '../service/staff-queues.ts';
import { openStatus } from '../service/status/index.ts';
import { openSupport, READY_KIND } from '../service/support/index.ts';
import { readVotes } from '../staff/operators/index.ts';
import type { Opening } from './opening.ts';

/** How many unfinished deposits of a customer are looked through for lost ones. */
const LOST_LOOKED_AT = 50;

/** Where staff and customers meet, and what the public sees: support, status, disputes, corrections, the console. */
export function openDesk(opening: Opening): void {
  const { rooms, clockGuard, config, database, reads, bus, checked, onFault, mode, openedChain, leader } = opening;
  rooms.support = openSupport({
    database,
    clock: clockGuard,
    bus,
    files: rooms.files.api,
    messages: rooms.messages.api,
    visitors: rooms.customers.api.visitors,
    usernameOf: rooms.customers.api.usernameOf,
    staffName: rooms.operators.api.workNameOf,
    findColleague: rooms.operators.api.findColleague,
    audit: rooms.operators.api.audit,
    approvals: rooms.operators.api.approvals,
    isApprovalWaiting: rooms.operators.api.isWaiting,
    brand: config.brand,
    onFault,
  });
  rooms.operators.api.addApprovalKind(READY_KIND, rooms.support.api.readyKind);
  const { counted, failingSince } = countOnChain(
    openedChain && { config: openedChain.config, reader: openedChain.readers[0], addresses: openedChain.addresses },
    () => clockGuard.now(),
  );
  rooms.status = openStatus({
    database,
    reads,
    clock: clockGuard,
    timeZone: config.brand.timeZone,
    mode,
    market: rooms.market.api,
    ledger: rooms.ledger.api,
    counted,
    coverOf: (coin, now) => rooms.books.api.coverOf(coin, now),
    withdrawalTimes: rooms.withdrawals.api.times,
    payoutStop: rooms.withdrawals.api.payoutStop,
    latePayouts: rooms.withdrawals.api.countLatePayouts,
    optionFigures: rooms.options.api.figures,
    pauseSums: rooms.pauses.api.sums,
    reversalsSince: rooms.deposits.api.reversalsSince,
    disputeFigures: (since, now) => rooms.disputes.api.figures(since, now),
    standings: rooms.options.api.standings,
    namesOfConsenting: rooms.customers.api.namesOfConsenting,
    countConsenting: rooms.customers.api.countConsenting,
    checked,
    operators: rooms.operators.api,
  });
  const concernedBy = async (customer: bigint): Promise<readonly bigint[]> => {
    const inviter = await rooms.customers.api.invitations.inviterOf(database, customer);
    return inviter ? [customer, inviter.id] : [customer];
  };
  const findCustomer = async (query: string) => {
    const found = await rooms.customers.api.staff.find(query, null);
    return found?.rows.find((row) => row.username === query || String(row.id) === query) ?? null;
  };
  // Only a transfer on another network is credited by a correction. One on a chain may come back to its block, and bank
  // money is matched with its order: a second way to the same money would pay it twice.
  const isLost = ({ elsewhere }: DepositRecord): boolean =>
    elsewhere !== null && (elsewhere.ending === null || elsewhere.ending === 'credited');
  rooms.corrections = openCorrections({
    database,
    clock: clockGuard,
    ledger: rooms.ledger.api,
    messages: rooms.messages.api,
    approvals: rooms.operators.api.approvals,
    audit: rooms.operators.api.audit,
    votesOf: (approvals) => readVotes(database, approvals),
    viewApproval: rooms.operators.api.viewApproval,
    isCustomer: rooms.customers.api.exists,
    usernameOf: rooms.customers.api.usernameOf,
    workNameOf: rooms.operators.api.workNameOf,
    concernedBy,
    ownAccountOf: rooms.operators.api.ownAccountOf,
    async depositOf(customer, id) {
      const found = await rooms.deposits.api.read(customer, id);
      if (!found) return null;
      const openedBy = found.record.elsewhere && (await rooms.deposits.api.openerOf(customer, id));
      return {
        id: found.record.id,
        units: parseDecimal(found.record.amount, 6) ?? 0n,
        isLost: isLost(found.record),
        openedBy,
      };
    },
    depositCorrected: rooms.deposits.api.corrected,
    findCustomer,
    disputesOf: (customer) => rooms.disputes.api.listOf(customer),
    incidentsSince: rooms.status.api.listIncidents,
    lostDepositsOf: async (customer) =>
      (await rooms.deposits.api.list(customer, 'undone', null, 0, LOST_LOOKED_AT))
        .map(({ record }) => record)
        .filter(isLost)
        .map(({ id, order_number: order, amount, created_at: at }) => ({ id, order, amount, at })),
    hasDispute: (customer, id) => rooms.disputes.api.isOf(customer, id),
    keys: async () => trustStoredKeys(await readKeys(database)),
    restorations: () => readRestorations(database),
    options: rooms.options.api,
    hasIncident: rooms.status.api.hasIncident,
    onFault,
  });
  rooms.disputes = openDisputes({
    database,
    clock: clockGuard,
    ledger: rooms.ledger.api,
    records: {
      deposit: rooms.deposits.api.evidence,
      async withdrawal(customer, id) {
        const found = await rooms.withdrawals.api.read(customer, id);
        return found && { record: found.record, journal: found.journal };
      },
      correction: rooms.corrections.api.readOwn,
      async receipt(hash) {
        try {
          return (await leader?.receipts([hash]))?.[0] ?? null;
        } catch {
          // The node does not answer; the check then fails rather than passes.
          return null;
        }
      },
    },
    correctionsOf: rooms.corrections.api.ofDispute,
    options: rooms.options.api,
    keys: () => readKeys(database),
    messages: rooms.messages.api,
    usernameOf: rooms.customers.api.usernameOf,
    staffName: rooms.operators.api.workNameOf,
    concernedBy,
    audit: rooms.operators.api.audit,
    approvals: rooms.operators.api.approvals,
    findWaiting: rooms.operators.api.findWaitingApproval,
    onFaultConfirmed: async (transaction, { dispute, order, operator }) => {
      const texts = Object.fromEntries(
        LANGUAGES.map((language) => [language, translate(language, 'edge.settlement_fault')]),
      );
      await rooms.pauses.api.start(transaction, { kind: 'product', subject: 'options', texts, operator });
      await rooms.status.api.openIncident(transaction, { severity: 'degraded', parts: ['options'], texts, operator });
      onFault(new Error(`alarm: dispute ${dispute} confirms a fault in the settlement of option ${order}`));
    },
    onFault,
  });
  rooms.operators.api.addApprovalKind(ANSWER_KIND, rooms.disputes.api.answerKind);
  rooms.operators.api.addApprovalKind(MONEY_ANSWER_KIND, rooms.disputes.api.moneyAnswerKind);
  rooms.operators.api.nameSubjects(async ({ kind, subject, about: customer }) => {
    // An operator's own account is no case.
    if (customer === null || kind.startsWith('operator_')) return { number: null, customer: null };
    const movements = kind.startsWith('withdrawal')
      ? rooms.withdrawals.api
      : kind.startsWith('deposit')
        ? rooms.deposits.api
        : null;
    const [username, movement] = await Promise.all([
      rooms.customers.api.usernameOf(customer),
      movements?.read(customer, subject),
    ]);
    return { number: movement?.record.order_number ?? null, customer: { id: String(customer), username } };
  });
  rooms.staffConsole = openConsole({
    database,
    clock: clockGuard,
    customers: rooms.customers.api.staff,
    ledger: rooms.ledger.api,
    operators: rooms.operators.api,
    messages: rooms.messages.api,
    options: rooms.options.api,
    contracts: rooms.contracts.api,
    payees: rooms.payees.api,
    queues: staffQueues(
      database,
      rooms.certifications.api,
      rooms.support.api,
      rooms.disputes.api,
      rooms.corrections.api,
    ),
    counted,
    failingSince,
    exposures: () => rooms.options.api.exposures(),
    checked,
    health: async (now) => healthOf(opening.all(), now),
    async lateWork(now) {
      const [settler, signer, accrual] = await Promise.all([
        rooms.options.api.countUnsettled(now),
        rooms.withdrawals.api.countLatePayouts(now),
        rooms.earning.api.countLateAccruals(now),
      ]);
      return { settler, signer, accrual };
    },
    payoutStop: rooms.withdrawals.api.payoutStop,
    notableMatches: rooms.deposits.api.notableMatches,
    market: rooms.market.api,
    withdrawalTimes: rooms.withdrawals.api.times,
    paymentHours: rooms.withdrawals.api.paymentHours,
  });
  rooms.books = openBooks({
    mode,
    database,
    ledger: rooms.ledger.api,
    audit: rooms.operators.api.audit,
    stepUps: rooms.operators.api.stepUps,
    usernameOf: rooms.customers.api.usernameOf,
    workNameOf: rooms.operators.api.workNameOf,
    findCustomer,
    counted,
    failingSince,
    checked,
    attestStatement: rooms.deposits.api.attestStatement,
  });
}
