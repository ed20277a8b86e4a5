import { listAccountRecords, type ResultOf } from '@sathorn/api';
import { formatDecimal, scaleOf } from '@sathorn/money';
import { accept, refuse } from '@sathorn/settlement';
import {
  type AccountKey,
  accountsWhere,
  customerAccount,
  type PurposeName,
  purposesOfStatement,
  type StatementLine,
} from '../../ledger/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { CustomersModule, MovementLists } from './customers.ts';
import { listMovements } from './list-movements.ts';

const PAGE_SIZE = 20;
/** Older pages can only be reached by `next`, because a numbered page is counted from the start. */
const PAGE_NUMBER_MAX = 50;
/** How many lines are searched for one page of rare records. */
const LOOKED_THROUGH_MAX = 2_000;
/** The limit while the page is still empty; higher, because an empty page only makes the client ask again. */
const LOOKED_FOR_FIRST_MAX = 20_000;
const READ_AT_ONCE = 200;

type Setup = 'all' | 'income' | 'expenditure' | 'recharge' | 'withdraw';
const DIRECTIONS = {
  all: 'all',
  income: 'in',
  expenditure: 'out',
  recharge: 'in',
  withdraw: 'out',
} as const satisfies Record<Setup, 'all' | 'in' | 'out'>;
/** The purposes that each filter shows; null for all records of that direction. */
const CODES: Readonly<Record<Setup, ReadonlySet<PurposeName> | null>> = {
  all: null,
  income: null,
  expenditure: null,
  recharge: purposesOfStatement('recharge'),
  withdraw: purposesOfStatement('withdraw'),
};

/** A customer's own accounts. A coin held for an order still belongs to them. */
const OWN = accountsWhere(({ use }) => use !== null);
/** Holding an option's stake is not a line of the statement. */
const HOLDS = purposesOfStatement('hold');

/** A line with the account that it belongs to. */
interface OwnLine extends StatementLine {
  readonly account: AccountKey;
}

const newestFirst = (a: OwnLine, b: OwnLine): number =>
  a.transfer.sequence < b.transfer.sequence ? 1 : a.transfer.sequence > b.transfer.sequence ? -1 : 0;

/** The lines of all accounts as one statement, newest first. */
async function readLines(
  { ledger }: Pick<CustomersModule, 'ledger'>,
  accounts: readonly AccountKey[],
  setup: Setup,
  before: bigint | null,
  limit: number,
): Promise<{ lines: OwnLine[]; lookedTo: bigint | null }> {
  const statements = await Promise.all(
    accounts.map(async (account) => {
      const lines = await ledger.statement(account, DIRECTIONS[setup], before, limit);
      return lines.map((line): OwnLine => ({ ...line, account }));
    }),
  );
  const merged = statements.flat().sort(newestFirst).slice(0, limit);
  const codes = CODES[setup];
  return {
    lines: merged.filter(({ transfer: { code } }) => !HOLDS.has(code) && (codes === null || codes.has(code))),
    lookedTo: merged.length < limit ? null : (merged.at(-1)?.transfer.sequence ?? null),
  };
}

/**
 * The customer's balance of the asset after each line, over all their accounts, because money held for an open order is
 * still the customer's.
 */
async function balancesAfter(
  { ledger }: Pick<CustomersModule, 'ledger'>,
  accounts: readonly AccountKey[],
  lines: readonly OwnLine[],
): Promise<bigint[]> {
  const newest = lines[0]?.transfer.sequence;
  if (newest === undefined) return [];
  const histories = await Promise.all(
    accounts.map(async (account) => ({
      account,
      // The name is only needed if two accounts share an asset.
      lines: accounts.some((other) => other.asset === account.asset && other.name !== account.name)
        ? await ledger.statement(account, 'all', newest + 1n, READ_AT_ONCE)
        : [],
    })),
  );
  return Promise.all(
    lines.map(async ({ account, transfer, after }) => {
      let total = after;
      for (const other of histories) {
        if (other.account.asset !== account.asset || other.account.name === account.name) continue;
        const known = other.lines.find((line) => line.transfer.sequence <= transfer.sequence);
        const isCut = known === undefined && other.lines.length === READ_AT_ONCE;
        const [line = known] = isCut ? await ledger.statement(other.account, 'all', transfer.sequence + 1n, 1) : [];
        total += line?.after ?? 0n;
      }
      return total;
    }),
  );
}

export function listAccountRecordsHandler(
  module: Pick<CustomersModule, 'ledger' | 'opaqueIds'> & { readonly movements: MovementLists | null },
): Handler {
  const { ledger, opaqueIds, movements } = module;

  const collect = async (
    accounts: readonly AccountKey[],
    setup: Setup,
    from: bigint | null,
    wanted: number,
  ): Promise<{ found: OwnLine[]; lookedTo: bigint | null }> => {
    const found: OwnLine[] = [];
    if (CODES[setup]?.size === 0) return { found, lookedTo: null };
    let before = from;
    const lookedMax = (): number => (found.length === 0 ? LOOKED_FOR_FIRST_MAX : LOOKED_THROUGH_MAX);
    // Starts with larger steps for rare records, and also after a first read that found too few.
    let step = CODES[setup] === null ? wanted : READ_AT_ONCE;
    for (let looked = 0; found.length < wanted && looked < lookedMax(); looked += step, step = READ_AT_ONCE) {
      const { lines, lookedTo } = await readLines(module, accounts, setup, before, step);
      found.push(...lines);
      if (lookedTo === null) return { found, lookedTo };
      before = lookedTo;
    }
    return { found, lookedTo: before };
  };

  const recordOf = (
    { transfer, change, account, entry }: OwnLine,
    after: bigint,
  ): ResultOf<typeof listAccountRecords>['items'][number] => {
    const { asset } = transfer.debit;
    const scale = scaleOf(asset);
    return {
      id: opaqueIds.seal(transfer.sequence),
      kind: transfer.code,
      asset,
      amount: formatDecimal(change, scale),
      balance_after: formatDecimal(after, scale),
      ref: transfer.journal,
      at: transfer.at.toISOString(),
      entry: { account: account.name, n: String(entry) },
    };
  };

  const recordsOf = async (accounts: readonly AccountKey[], lines: readonly OwnLine[]) => {
    const after = await balancesAfter(module, accounts, lines);
    return lines.map((line, place) => recordOf(line, after[place] ?? line.after));
  };

  return handle(listAccountRecords, async ({ request, customer, now }) => {
    const { setup } = request;
    if (movements !== null && (setup === 'recharge' || setup === 'withdraw'))
      return listMovements(module, movements, customer.id, { ...request, setup });
    const held = await ledger.balances(customer.id);
    const accounts = held
      .filter(({ account }) => OWN.has(account.name))
      .map(({ account }) => customerAccount(customer.id, account.asset, account.name));
    if (request.id !== undefined) {
      const sequence = opaqueIds.open(request.id);
      const { lines } =
        sequence === null ? { lines: [] } : await readLines(module, accounts, request.setup, sequence + 1n, 1);
      return accept({
        items: await recordsOf(
          accounts,
          lines.filter(({ transfer }) => transfer.sequence === sequence),
        ),
        next: null,
      });
    }

    const { page = '' } = request;
    const isNumber = /^[0-9]{0,9}$/.test(page);
    const number = isNumber ? Math.max(Number(page), 1) : 1;
    if (number > PAGE_NUMBER_MAX) return accept({ items: [], next: null });
    const skipped = (number - 1) * PAGE_SIZE;
    const from = isNumber ? null : opaqueIds.open(page);
    if (!isNumber && from === null) return refuse('malformed_request', { field: 'page' });
    const { found: lines, lookedTo } = await collect(accounts, request.setup, from, skipped + PAGE_SIZE + 1);
    const shown = lines.slice(skipped, skipped + PAGE_SIZE);
    const last = shown.at(-1);
    // The search may have stopped before the end of the lines, so the next page starts where it stopped.
    const next = lines.length > skipped + PAGE_SIZE ? last?.transfer.sequence : lookedTo;
    const statement =
      setup === 'all' && page === '' ? await ledger.chains?.recentStatementOf(customer.id, now) : undefined;
    return accept({
      ...(statement && { statement }),
      items: await recordsOf(accounts, shown),
      next: typeof next === 'bigint' ? opaqueIds.seal(next) : null,
    });
  });
}
