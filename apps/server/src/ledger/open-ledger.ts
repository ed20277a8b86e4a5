import { allowOnAnyClock } from '../platform/edge/handle.ts';
import { customerTopic } from '../platform/edge/topic-source.ts';
import type { Module } from '../platform/module.ts';
import { accountKeyOf } from './account-book.ts';
import { openAccountChains } from './account-chains.ts';
import { chainCalls } from './calls.ts';
import { ACCOUNTS, accountNameOf, PURPOSES, purposeNameOf, TRANSFER_KIND_LETTERS } from './chart.ts';
import type { AccountKey, HoldResolutionKind, TransferView } from './journal.ts';
import { JournalPoster } from './journal-poster.ts';
import type { Ledger, LedgerDependencies } from './ledger.ts';
import {
  type AccountRow,
  findOldestInflow,
  findSequenceBefore,
  findTransfersInWindow,
  findTransfersOfAccounts,
  haltMoney,
  openAccountRows,
  readAccountSums,
  readAccounts,
  readAccountsOfOwner,
  readAccountTotals,
  readAccountTotalsAt,
  readAvailableBetween,
  readJournal,
  readLastSequence,
  readOwedToCustomers,
  readStatement,
  readTransferAt,
  readTransferOfJournal,
  readTransfersOfHolds,
  readTransfersOfJournals,
  type TransferRow,
} from './ledger-store.ts';
import { listBalancesHandler, readFunds } from './list-balances.ts';
import { readBalanceHandler } from './read-balance.ts';
import { payInTransaction, resolveHoldsInTransaction } from './resolve-holds.ts';

const KINDS = Object.fromEntries(
  Object.entries(TRANSFER_KIND_LETTERS).map(([kind, letter]) => [letter, kind]),
) as Record<TransferRow['kind'], TransferView['kind']>;

/** One search of the console reads at most this many transfers. */
const LOOKED_THROUGH = 50_000n;
const FOUND_MAX = 50;
/** A journal shows at most this many of its transfers: a settlement can have thousands. */
const SHOWN_MAX = 200;
/** If a balance changed more often than this between two journals, the changes are not read. */
const CHANGES_MAX = 50_000;

function viewOf(row: TransferRow, accounts: ReadonlyMap<bigint, AccountKey>): TransferView {
  const debit = accounts.get(row.debit);
  const credit = accounts.get(row.credit);
  const code = purposeNameOf(row.code);
  if (!debit || !credit || !code)
    throw new Error(`transfer ${row.sequence} names an account or a purpose that is not in the chart`);
  return {
    sequence: row.sequence,
    journal: row.journal,
    kind: KINDS[row.kind],
    debit,
    credit,
    units: BigInt(row.units),
    code,
    resolves: row.resolves,
    at: row.at,
  };
}

export function openLedger(dependencies: LedgerDependencies): Module<Ledger> {
  const { database } = dependencies;
  const poster = new JournalPoster(dependencies);
  const chains = dependencies.statements ? openAccountChains(database, dependencies.statements) : null;

  const accountsOf = async (rows: readonly TransferRow[]): Promise<Map<bigint, AccountKey>> => {
    const ids = new Set(rows.flatMap((row) => [row.debit, row.credit]));
    if (ids.size === 0) return new Map();
    return new Map((await readAccounts(database, [...ids])).map((row) => [row.id, accountKeyOf(row)]));
  };

  const idOf = async (account: AccountKey): Promise<bigint> => {
    const [row] = await openAccountRows(database, [
      { owner: account.owner, asset: account.asset, code: ACCOUNTS[account.name].code },
    ]);
    if (!row) throw new Error('an account could not be opened');
    return row.id;
  };

  const viewsOf = async (rows: readonly TransferRow[]): Promise<TransferView[]> => {
    const accounts = await accountsOf(rows);
    return rows.map((row) => viewOf(row, accounts));
  };

  const chargedIds = new Map<HoldResolutionKind, bigint>();

  const balanceOf = (row: AccountRow) => ({
    account: accountKeyOf(row),
    available: BigInt(row.credits_posted) - BigInt(row.debits_posted) - BigInt(row.debits_held),
    held: BigInt(row.debits_held),
  });

  const api: Ledger = {
    chains,
    post: (kind, command, intent) => poster.post(kind, command, intent),

    balances: async (owner) => (await readAccountsOfOwner(database, owner)).map(balanceOf),

    totals: async () =>
      (await readAccountTotals(database)).flatMap(({ code, asset, units }) => {
        const account = accountNameOf(code);
        return account ? [{ account, asset, units: BigInt(units) }] : [];
      }),

    owed: async () => new Map((await readOwedToCustomers(database)).map(({ asset, units }) => [asset, BigInt(units)])),

    resolveHolds: async (kind, work) => {
      const chargedTo = chargedIds.get(kind) ?? (await idOf(kind.charges.to));
      chargedIds.set(kind, chargedTo);
      try {
        return await resolveHoldsInTransaction({ ...dependencies, chargedTo }, kind, work);
      } finally {
        poster.othersPost();
      }
    },

    payMany: async (work) => {
      try {
        return await payInTransaction(dependencies, work);
      } finally {
        poster.othersPost();
      }
    },

    transfersOf: async (journals) => viewsOf(await readTransfersOfJournals(database, journals)),
    transferOf: async (journal, n) => (await viewsOf(await readTransferOfJournal(database, journal, n)))[0],
    transferAt: async (sequence) => (await viewsOf(await readTransferAt(database, sequence)))[0],
    async journal(id) {
      const row = await readJournal(database, id);
      if (!row) return null;
      const { kind, digest, refusal, answer, at, first_sequence: first, transfers: count } = row;
      const last = first + BigInt(Math.min(count, SHOWN_MAX)) - 1n;
      const rows = count === 0 ? [] : await findTransfersInWindow(database, first - 1n, last, null, SHOWN_MAX);
      return { id, kind, digest, refusal, answer, at, count, transfers: await viewsOf(rows.toReversed()) };
    },
    async search({ owner, code, from, to, before }) {
      const last = to ? await findSequenceBefore(database, to) : await readLastSequence(database);
      const high = before !== null && before <= last ? before - 1n : last;
      const oldest = from ? await findSequenceBefore(database, from) : 0n;
      const number = code === null ? null : PURPOSES[code].code;
      const accounts = owner === null ? null : (await readAccountsOfOwner(database, owner)).map(({ id }) => id);
      // A customer's own entries have an index, so the search may go back to the first one.
      const low = accounts || high - LOOKED_THROUGH < oldest ? oldest : high - LOOKED_THROUGH;
      if (high <= oldest) return { transfers: [], next: null };
      const rows = accounts
        ? await findTransfersOfAccounts(database, accounts, low, high, number, FOUND_MAX)
        : await findTransfersInWindow(database, low, high, number, FOUND_MAX);
      const end = rows.length === FOUND_MAX ? rows.at(-1)?.sequence : low > oldest ? low + 1n : undefined;
      return { transfers: await viewsOf(rows), next: end ?? null };
    },
    async oldestIn({ owner, name, asset }) {
      const row = (await readAccountsOfOwner(database, owner)).find(
        (one) => one.code === ACCOUNTS[name].code && one.asset === asset,
      );
      const total = row ? BigInt(row.credits_posted) - BigInt(row.debits_posted) : 0n;
      if (!row || total === 0n) return null;
      return findOldestInflow(database, total < 0n ? 'debit' : 'credit', row.id, total < 0n ? -total : total);
    },
    async totalsAt(owner, names, moments) {
      const rows = (await readAccountsOfOwner(database, owner)).filter((row) => names.has(accountKeyOf(row).name));
      const totals = await readAccountTotalsAt(database, rows, moments);
      return rows.map((row, n) => ({ account: accountKeyOf(row), totals: totals[n] ?? [] }));
    },
    async availableBetween(account, since, until) {
      const rows = await readAvailableBetween(database, await idOf(account), since, until, CHANGES_MAX + 1);
      const [first, ...rest] = rows;
      if (first === undefined || rows.length > CHANGES_MAX) return null;
      let available = BigInt(first.available);
      const before = available - BigInt(first.units);
      const changes = rest.flatMap((row) => {
        const units = BigInt(row.available) - available;
        available += units;
        const code = purposeNameOf(row.code);
        return units === 0n || code === undefined ? [] : { journal: row.journal, code, units };
      });
      return { before, changes };
    },
    halt: (reason) => haltMoney(database, reason),
    accountSums: async () =>
      (await readAccountSums(database)).flatMap(({ code, asset, accounts, units, held }) => {
        const account = accountNameOf(code);
        return account ? [{ account, asset, accounts, units: BigInt(units), held: BigInt(held) }] : [];
      }),
    transfersOfHolds: async (holds) => viewsOf(await readTransfersOfHolds(database, holds)),

    statement: async (account, direction, before, limit) => {
      const rows = await readStatement(database, await idOf(account), before, direction, limit);
      const accounts = await accountsOf(rows);
      return rows.map((row) => ({
        transfer: viewOf(row, accounts),
        change: row.is_debit ? -BigInt(row.units) : BigInt(row.units),
        after: BigInt(row.total_after),
        entry: row.entry,
      }));
    },
  };
  return {
    api,
    handlers: allowOnAnyClock(readBalanceHandler(api), listBalancesHandler(api), ...(chains ? chainCalls(chains) : [])),
    topics: [customerTopic('balances', (owner) => readFunds(api, owner), 'funds')],
  };
}
