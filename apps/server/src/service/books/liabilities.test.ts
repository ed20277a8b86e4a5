import { randomUUID } from 'node:crypto';
import { keyIdOf, type LiabilityProof, type ProofKey, readLiabilities, verifyLiability } from '@sathorn/proof';
import { accept } from '@sathorn/settlement';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import {
  customerAccount,
  houseAccount,
  type JournalKind,
  type Ledger,
  openLedger,
  type Transfer,
} from '../../ledger/index.ts';
import { Bus } from '../../platform/bus/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { ed25519Signer } from '../../platform/proofs/index.ts';
import { readLiabilitiesRows, readOwnLiability } from './liability-store.ts';
import { takeLiabilities } from './take-liabilities.ts';

const post: JournalKind<readonly Transfer[], null, never> = {
  name: 'test.post',
  customer: () => null,
  accounts: (transfers) =>
    transfers.flatMap((transfer) => ('hold' in transfer ? [] : [transfer.debit, transfer.credit])),
  decide: (transfers) => accept({ transfers, answer: null }),
};

const signer = ed25519Signer(Buffer.alloc(32, 7));
const KEYS: ProofKey[] = [{ use: 'receipt', id: keyIdOf(signer.publicKeyHex), public_key: signer.publicKeyHex }];
const HOUR_MS = 3_600_000;
const AT = Math.floor(Date.parse('2026-11-21T08:00:00.000Z') / HOUR_MS) * HOUR_MS;

let test: TestDatabase;
let ledger: Ledger;
let sql: pg.Client;
beforeAll(async () => {
  test = await openTestDatabase({ anyPurpose: true });
  ledger = openLedger({ eligibility: null, database: test.database, clock: systemClock, bus: new Bus() }).api;
  sql = new pg.Client(test.owner);
  await sql.connect();
});
afterAll(async () => {
  await sql?.end();
  await test?.close();
});

async function credited(owner: bigint, units: bigint, asset: 'USDT' | 'BTC' = 'USDT'): Promise<void> {
  const id = randomUUID();
  const transfer: Transfer = {
    kind: 'single',
    debit: houseAccount('equity', asset),
    credit: customerAccount(owner, asset),
    units,
    code: 'demo_money',
  };
  await ledger.post(post, [transfer], { id, digest: id });
}

const take = (atMs: number): Promise<void> =>
  takeLiabilities({ database: test.database, signer, accountSalt: Buffer.alloc(32, 3), mode: 'live' }, new Date(atMs));
const newest = async () => {
  const [row] = await readLiabilitiesRows(test.database, 1);
  const tree = row && readLiabilities(row.signed.body);
  if (tree === undefined) throw new Error('nothing is signed');
  return tree;
};
const ownOf = async (customer: bigint): Promise<LiabilityProof> => {
  const own = await readOwnLiability(test.database, customer);
  if (own === undefined) throw new Error(`customer ${customer} has no leaf`);
  return own;
};
const found = async (): Promise<string[]> =>
  (await findViolations(test.checker)).flatMap(({ invariant }) => (invariant.startsWith('LI') ? invariant : []));

/** As the database's owner, past every trigger. */
const asOwner = async (text: string): Promise<void> => {
  await sql.query('BEGIN');
  await sql.query('SET LOCAL session_replication_role = replica');
  await sql.query(text);
  await sql.query('COMMIT');
};

it('signs nothing while nobody is owed anything', async () => {
  await take(AT);
  expect(await readLiabilitiesRows(test.database, 1)).toEqual([]);
});

it('each customer finds their own balances in the signed sums, which are all that customers own', async () => {
  for (let customer = 1n; customer <= 7n; customer += 1n) await credited(customer, customer * 1_000_000n);
  await credited(3n, 5n, 'BTC');
  await take(AT);
  for (let customer = 1n; customer <= 7n; customer += 1n) {
    const verified = await verifyLiability(await ownOf(customer), String(customer), KEYS);
    expect(verified).toMatchObject({ ok: true, tree: { size: 7, sequence: 1n } });
    if (!verified.ok) continue;
    expect(verified.leaf.accounts.find(({ asset }) => asset === 'USDT')?.total).toBe(customer * 1_000_000n);
  }
  const { sums } = await newest();
  expect(sums).toEqual([
    ['BTC', 5n],
    ['USDT', 28_000_000n],
    ['options', 0n],
  ]);
  expect(new Map(sums.slice(0, 2))).toEqual(await ledger.owed());
  expect(await found()).toEqual([]);
});

it('signs once per hour, however many processes ask at once, and each text names the one before', async () => {
  await take(AT + HOUR_MS - 1);
  expect((await newest()).sequence).toBe(1n);
  const [first] = await readLiabilitiesRows(test.database, 1);
  await credited(8n, 1n);
  await Promise.all(Array.from({ length: 5 }, () => take(AT + HOUR_MS)));
  expect(await newest()).toMatchObject({ sequence: 2n, previous: first?.signed.hash, size: 8 });
  // What moves afterwards is in the next one.
  await credited(8n, 1n);
  expect(await found()).toEqual([]);
});

it('keeps the nodes of the newest trees, and the texts of all', async () => {
  for (const hours of [2, 3, 4]) await take(AT + hours * HOUR_MS);
  const { rows } = await sql.query('SELECT DISTINCT sequence::text FROM books.liability_node ORDER BY 1');
  expect(rows.map(({ sequence }) => sequence)).toEqual(['3', '4', '5']);
  expect(await readLiabilitiesRows(test.database, 10)).toHaveLength(5);
});

it('the application’s own login can neither change a text nor add one that does not follow', async () => {
  const app = new pg.Client(test.app);
  await app.connect();
  try {
    await expect(app.query(`UPDATE books.liabilities SET body = body`)).rejects.toThrow(/permission denied/);
    const body = '{"prev":"00","seq":"6"}';
    await expect(
      app.query(
        `INSERT INTO books.liabilities VALUES (6, now(), $1, sha256(convert_to('liabilities/1' || chr(10) || $1, 'UTF8')), repeat('0', 128), 'k')`,
        [body],
      ),
    ).rejects.toThrow(/do not follow/);
  } finally {
    await app.end();
  }
});

it('sums that are halved, and a text that is exchanged, are found by the checker', async () => {
  const rewrite = (number: number, from: string, to: string) =>
    asOwner(`UPDATE books.liabilities l SET body = changed.body, hash = sha256(convert_to('liabilities/1' || chr(10) || changed.body, 'UTF8'))
      FROM (SELECT replace(body, '${from}', '${to}') AS body FROM books.liabilities WHERE sequence = ${number}) changed WHERE sequence = ${number}`);
  await rewrite(5, '"28000002"', '"14000001"');
  expect(await found()).toEqual(['LI1']);
  await rewrite(5, '"14000001"', '"28000002"');
  expect(await found()).toEqual([]);
  await rewrite(3, '"28000002"', '"14000001"');
  expect(await found()).toEqual(['LI2']);
  await rewrite(3, '"14000001"', '"28000002"');
});

it('a customer whose balance is left out, or made smaller, does not verify in what is shown', async () => {
  const own = await ownOf(5n);
  const leaf = own.leaf.replace('"5000000"', '"1000000"');
  expect(leaf).not.toBe(own.leaf);
  expect(await verifyLiability({ ...own, leaf }, '5', KEYS)).toEqual({ ok: false, fault: 'root_differs' });
  expect(await verifyLiability(await ownOf(6n), '5', KEYS)).toEqual({ ok: false, fault: 'leaf_of_another' });
});
