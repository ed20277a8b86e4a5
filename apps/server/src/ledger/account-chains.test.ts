import { randomUUID } from 'node:crypto';
import {
  CHAIN_START,
  findContradiction,
  isChainAccount,
  keyIdOf,
  type ProofKey,
  readStatementHead,
  type SignedStatement,
  type StatementFile,
  verifyStatement,
  verifyStatementFile,
  walkEntries,
} from '@sathorn/proof';
import { accept } from '@sathorn/settlement';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findViolations } from '../checker/checker/index.ts';
import { Bus } from '../platform/bus/index.ts';
import { systemClock } from '../platform/clock.ts';
import { openDatabase } from '../platform/database/index.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing.ts';
import { announceKey, ed25519Signer } from '../platform/proofs/index.ts';
import {
  ACCOUNTS,
  customerAccount,
  type HoldRef,
  houseAccount,
  type JournalKind,
  type Ledger,
  openLedger,
  PURPOSES,
  type Transfer,
} from './index.ts';

const post: JournalKind<readonly Transfer[], null, never> = {
  name: 'test.post',
  customer: () => null,
  accounts: (transfers) =>
    transfers.flatMap((transfer) =>
      'hold' in transfer ? [transfer.hold.debit, transfer.hold.credit] : [transfer.debit, transfer.credit],
    ),
  decide: (transfers) => accept({ transfers, answer: null }),
};

const signer = ed25519Signer(Buffer.alloc(32, 7));
const KEYS: ProofKey[] = [{ use: 'receipt', id: keyIdOf(signer.publicKeyHex), public_key: signer.publicKeyHex }];
const signing = { signer, accountSalt: Buffer.alloc(32, 3), environment: 'demo' as const };

let test: TestDatabase;
let ledger: Ledger;
let sql: pg.Client;
beforeAll(async () => {
  test = await openTestDatabase({ anyPurpose: true });
  const owner = openDatabase(test.owner, { connections: 1 });
  await announceKey(owner, 'receipt', signer);
  await owner.close();
  ledger = openedLedger();
  sql = new pg.Client(test.owner);
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await test.close();
});

const openedLedger = (): Ledger =>
  openLedger({ eligibility: null, database: test.database, clock: systemClock, bus: new Bus(), statements: signing })
    .api;
const chainsOf = (of: Ledger) => {
  if (of.chains === null) throw new Error('opened without a key');
  return of.chains;
};

async function posted(transfers: readonly Transfer[]): Promise<bigint> {
  const id = randomUUID();
  await ledger.post(post, transfers, { id, digest: id });
  return (await ledger.transfersOf([id]))[0]?.sequence ?? 0n;
}
const credit = (owner: bigint, units: bigint): Transfer => ({
  kind: 'single',
  debit: houseAccount('equity', 'USDT'),
  credit: customerAccount(owner, 'USDT'),
  units,
  code: 'demo_money',
});
const toOrders = (owner: bigint, units: bigint): Transfer => ({
  kind: 'single',
  debit: customerAccount(owner, 'USDT'),
  credit: customerAccount(owner, 'USDT', 'in_orders'),
  units,
  code: 'contract_hold',
});
async function held(owner: bigint, units: bigint): Promise<HoldRef> {
  const [debit, to] = [customerAccount(owner, 'USDT'), houseAccount('options_pool', 'USDT')];
  const sequence = await posted([{ kind: 'hold', debit, credit: to, units, code: 'option_stake' }]);
  return { sequence, debit, credit: to, units };
}

/** All that a customer gets, as a file. */
async function fileOf(owner: bigint, of = ledger, limit = 7): Promise<StatementFile> {
  const statement = await chainsOf(of).statementOf(owner);
  const accounts: StatementFile['accounts'][number][] = [];
  for (const { name, asset, n } of readStatementHead(statement.signed.body)?.accounts ?? []) {
    const entries = [];
    let point = CHAIN_START;
    while (point.n < n) {
      const page = await chainsOf(of).entriesOf(owner, { name, asset }, point.n + 1n, limit);
      expect(page.prev).toBe(point.hash);
      const walked = walkEntries({ name, asset }, point, page.items);
      if (!walked.ok) throw new Error(`${walked.fault} at ${walked.n}`);
      entries.push(...page.items);
      point = walked.to;
    }
    accounts.push({ name, asset, entries });
  }
  return { v: 'statements/1', ...statement, accounts };
}

async function headOf(statement: SignedStatement) {
  const verified = await verifyStatement(statement, KEYS);
  if (!verified.ok) throw new Error(verified.fault);
  return verified.head;
}

/** Without orders of the book, the money that this test keeps for them is missing there. */
const violationsOf = async (): Promise<string[]> =>
  (await findViolations(test.checker)).flatMap(({ invariant, subjects }) =>
    invariant === 'C1' ? [] : subjects.map((subject) => `${invariant} ${subject}`),
  );

/** As the database's owner, past every trigger. */
const asOwner = async (text: string, values: unknown[] = []): Promise<void> => {
  await sql.query('BEGIN');
  await sql.query('SET LOCAL session_replication_role = replica');
  await sql.query(text, values);
  await sql.query('COMMIT');
  // The ledger in memory has counted on the accounts as they were.
  ledger = openedLedger();
};

it('every purpose and account has a name that devices take, or they would report a new one as a contradiction', async () => {
  for (const name of [...Object.keys(PURPOSES), ...Object.keys(ACCOUNTS)])
    expect(isChainAccount({ name, asset: 'USDT' }), name).toBe(true);
});

it('signs heads to which all entries lead: credits, holds, posts of a part, voids, moves between own accounts', async () => {
  await posted([credit(1n, 1_000n)]);
  const stake = await held(1n, 400n);
  await posted([{ kind: 'post', hold: stake, units: 150n, code: 'option_stake' }]);
  const second = await held(1n, 60n);
  await posted([{ kind: 'void', hold: second, code: 'option_stake' }]);
  await posted([toOrders(1n, 50n)]);
  const file = await fileOf(1n, ledger, 2);
  expect(await verifyStatementFile(file, KEYS)).toMatchObject({ ok: true, entries: 7 });
  const head = await headOf(file);
  expect(head.accounts.map(({ name, n, total, held }) => [name, n, total, held])).toEqual([
    ['in_orders', 1n, 50n, 0n],
    ['spot', 6n, 800n, 0n],
  ]);
  expect(head.environment).toBe('demo');
});

it('gives the same text again while nothing moves, also in another process, and writes nothing', async () => {
  const before = await chainsOf(ledger).statementOf(1n);
  const { rows: kept } = await sql.query('SELECT count(*) FROM ledger.account_head');
  expect(await chainsOf(ledger).statementOf(1n)).toBe(before);
  expect(await chainsOf(openedLedger()).statementOf(1n)).toEqual(before);
  expect((await sql.query('SELECT count(*) FROM ledger.account_head')).rows).toEqual(kept);
});

it('with balances the heads may be ten seconds behind, and are never ahead', async () => {
  const chains = chainsOf(openedLedger());
  const at = (seconds: number) => new Date(1_000_000_000_000 + seconds * 1_000);
  const first = await chains.recentStatementOf(1n, at(0));
  await posted([credit(1n, 5n)]);
  expect(await chains.recentStatementOf(1n, at(9))).toBe(first);
  const later = await headOf(await chains.recentStatementOf(1n, at(10)));
  expect(later.accounts.find(({ name }) => name === 'spot')).toMatchObject({ n: 7n, total: 805n });
});

it('gives a stranger nothing: an account is asked for by its owner', async () => {
  expect(await chainsOf(ledger).entriesOf(99n, { name: 'spot', asset: 'USDT' }, 1n, 10)).toMatchObject({ items: [] });
  expect(await chainsOf(ledger).entriesOf(1n, { name: 'equity', asset: 'USDT' }, 1n, 10)).toMatchObject({ items: [] });
  expect((await headOf(await chainsOf(ledger).statementOf(99n))).accounts).toEqual([]);
  const [one, other] = await Promise.all([
    headOf(await chainsOf(ledger).statementOf(1n)),
    headOf(await chainsOf(ledger).statementOf(99n)),
  ]);
  expect(one.account).not.toBe(other.account);
});

it('never contradicts itself when many ask while money moves', async () => {
  const processes = [ledger, openedLedger(), openedLedger()];
  const seen: SignedStatement[] = [];
  for (let n = 0; n < 8; n += 1) {
    const moves = [posted([credit(2n, 10n)]), posted([credit(2n, 5n)])];
    const asked = processes.map((of) => chainsOf(of).statementOf(2n));
    seen.push(...(await Promise.all(asked)));
    await Promise.all(moves);
    await posted([toOrders(2n, 1n)]);
  }
  const heads = await Promise.all(seen.map(headOf));
  for (const one of heads) for (const other of heads) expect(findContradiction(one, other)).toBeNull();
});

it('keeps its order when the database’s clock was set back', async () => {
  await asOwner(
    `UPDATE ledger.account_head SET at = at + interval '1 hour' WHERE account IN (SELECT id FROM ledger.account WHERE owner = 2)`,
  );
  const before = await headOf(await chainsOf(ledger).statementOf(2n));
  await posted([credit(2n, 1n)]);
  const after = await headOf(await chainsOf(ledger).statementOf(2n));
  expect(after.atMs).toBe(before.atMs + 1);
  expect(findContradiction(before, after)).toBeNull();
});

it('refuses heads that the application’s login invents', async () => {
  const add = (previous: number, entry: number) =>
    test.database.query({
      name: `test.remember ${previous} ${entry}`,
      text: `SELECT ledger.remember_heads(1, ARRAY[id], ARRAY[${previous}::bigint], ARRAY[${entry}::bigint], ARRAY[repeat('a', 64)]) FROM ledger.account WHERE owner = 1 AND code = 1000`,
    });
  await expect(add(7, 8)).rejects.toThrow('does not continue');
  await expect(add(0, 7)).rejects.toThrow('does not continue');
  await expect(
    test.database.query({
      name: 'test.insert',
      text: `INSERT INTO ledger.account_head (account, previous, entry, hash, at) VALUES (1, 0, 1, sha256('x'), now())`,
    }),
  ).rejects.toThrow(/permission denied/);
});

it('finds nothing wrong in an honest history', async () => {
  expect(await violationsOf()).toEqual([]);
});

/** Takes 100 units out of an old credit, and shifts every total after it, on both sides: nothing else shows it. */
const SHIFT = `
  WITH rigged AS (
    SELECT sequence, debit, debit_entry, credit, credit_entry FROM ledger.transfer
    WHERE credit = (SELECT id FROM ledger.account WHERE owner = 3 AND code = 1000 AND asset = 'USDT') AND credit_entry = 2
  ), leaner AS (
    UPDATE ledger.transfer t SET units = t.units - CASE WHEN t.sequence = r.sequence THEN 100 ELSE 0 END,
      debit_total = t.debit_total + CASE WHEN t.debit = r.debit AND t.debit_entry >= r.debit_entry THEN 100 WHEN t.debit = r.credit AND t.debit_entry >= r.credit_entry THEN -100 ELSE 0 END,
      credit_total = t.credit_total + CASE WHEN t.credit = r.debit AND t.credit_entry >= r.debit_entry THEN 100 WHEN t.credit = r.credit AND t.credit_entry >= r.credit_entry THEN -100 ELSE 0 END
    FROM rigged r WHERE t.sequence >= r.sequence
    RETURNING 1
  )
  UPDATE ledger.account a SET
    credits_posted = a.credits_posted - CASE WHEN a.id = r.credit THEN 100 ELSE 0 END,
    debits_posted = a.debits_posted - CASE WHEN a.id = r.debit THEN 100 ELSE 0 END
  FROM rigged r WHERE a.id IN (r.debit, r.credit)`;

it('the checker’s first pass finds an old credit that was made smaller with all totals after it; so does a device', async () => {
  for (const units of [50n, 500n, 70n]) await posted([credit(3n, units)]);
  const kept = await fileOf(3n);
  await asOwner(SHIFT);
  // Every other invariant is content with this history.
  const violations = await violationsOf();
  expect(violations).toHaveLength(1);
  expect(violations[0]).toMatch(/^I10 \d+ 1 3$/);

  const shown = await headOf(await chainsOf(openedLedger()).statementOf(3n));
  expect(findContradiction(await headOf(kept), shown)).toMatchObject({ kind: 'rewritten', name: 'spot', n: 3n });
});

it('an owner who writes the heads anew and signs them contradicts what a device kept', async () => {
  for (const units of [50n, 500n, 70n]) await posted([credit(4n, units)]);
  const kept = await headOf(await chainsOf(ledger).statementOf(4n));
  await asOwner(SHIFT.replaceAll('owner = 3', 'owner = 4'));
  await asOwner(
    'DELETE FROM ledger.account_head WHERE account IN (SELECT id FROM ledger.account WHERE owner IN (3, 4))',
  );
  const forged = await fileOf(4n, openedLedger());
  // The checker's SQL has nothing to compare with now, and for a new device the file is right.
  expect(await violationsOf()).toEqual([]);
  expect(await verifyStatementFile(forged, KEYS)).toMatchObject({ ok: true });
  expect(findContradiction(kept, await headOf(forged))).toEqual({
    kind: 'rewritten',
    name: 'spot',
    asset: 'USDT',
    n: 3n,
  });

  // An entry less, signed later: the shorter history is the later one.
  await posted([credit(4n, 1n)]);
  const longer = await headOf(await chainsOf(openedLedger()).statementOf(4n));
  await asOwner(
    `DELETE FROM ledger.account_head h WHERE account = (SELECT id FROM ledger.account WHERE owner = 4 AND code = 1000) AND entry = 4`,
  );
  await asOwner(`UPDATE ledger.account SET entries = 3 WHERE owner = 4 AND code = 1000`);
  await asOwner(
    `UPDATE ledger.account_head SET at = at + interval '1 minute' WHERE account = (SELECT id FROM ledger.account WHERE owner = 4 AND code = 1000)`,
  );
  const shorter = await headOf(await chainsOf(openedLedger()).statementOf(4n));
  expect(findContradiction(longer, shorter)).toMatchObject({ kind: 'rolled_back', n: 4n });
});

it('computes long histories a thousand entries at a time', async () => {
  await posted(Array.from({ length: 2_500 }, () => credit(5n, 1n)));
  const head = await headOf(await chainsOf(ledger).statementOf(5n));
  expect(head.accounts).toMatchObject([{ n: 2_500n, total: 2_500n }]);
  const { rows } = await sql.query(
    'SELECT previous, entry FROM ledger.account_head WHERE account = (SELECT id FROM ledger.account WHERE owner = 5) ORDER BY entry',
  );
  expect(rows.map(({ previous, entry }) => [previous, entry].map(Number))).toEqual([
    [0, 1_000],
    [1_000, 2_000],
    [2_000, 2_500],
  ]);
  expect(await verifyStatementFile(await fileOf(5n, ledger, 500), KEYS)).toMatchObject({ ok: true, entries: 2_500 });
});
