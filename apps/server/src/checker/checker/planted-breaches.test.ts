import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type OptionsTest, openOptionsTest, usdt } from '../../exchange/options/testing.ts';
import { findViolations } from './find-violations.ts';
import { inspectBrokenPages, inspectHistory, inspectNewestRows } from './inspect-history.ts';
import { Findings } from './run-invariants.ts';
import { NO_PROGRESS, type ScanProgress } from './scan-progress.ts';

const START = 64_000_000_000n;
const ofHold = (status: string, hold: string): string =>
  `resolves = (SELECT ${hold} FROM options.orders WHERE status = '${status}')`;

/** Invariants that every round checks on the current state. The scan through history finds violations of the others. */
const AT_ONCE = ['I2', 'I8', 'I8b', 'PR3'];

/**
 * Rows that a superuser could write past every trigger and constraint, one at a time, with the invariant that must
 * report each at least.
 */
const PLANTED: readonly [what: string, invariant: string, statement: string][] = [
  ['an account that may go below zero', 'I2', `UPDATE ledger.account SET rule = 'n' WHERE owner = 101`],
  ['a pool that owes', 'I2', `UPDATE ledger.account SET debits_posted = credits_posted + 1 WHERE code = 210`],
  [
    'more money on both sides',
    'I3',
    `UPDATE ledger.account SET credits_posted = credits_posted + 5 WHERE owner = 101; UPDATE ledger.account SET debits_posted = debits_posted + 5 WHERE code = 100 AND asset = 'USDT'`,
  ],
  ['a balance after a transfer', 'I4', `UPDATE ledger.transfer SET credit_total = credit_total + 1 WHERE sequence = 3`],
  ['an entry that is skipped', 'I4', `UPDATE ledger.transfer SET debit_entry = debit_entry + 1000 WHERE sequence = 3`],
  [
    'a transfer of another asset',
    'I5',
    `UPDATE ledger.transfer SET asset = 'BTC' WHERE sequence = (SELECT max(sequence) FROM ledger.transfer WHERE code = 20)`,
  ],
  ['a transfer of no journal', 'I5', `UPDATE ledger.transfer SET journal = gen_random_uuid() WHERE sequence = 3`],
  [
    'a journal that claims another’s transfers',
    'I5',
    `INSERT INTO ledger.journal (id, kind, digest, first_sequence, transfers) VALUES (gen_random_uuid(), 'x', 'd', 1, 2)`,
  ],
  ['a journal that is gone', 'I5', `DELETE FROM ledger.journal WHERE first_sequence = 1`],
  ['a sequence ahead', 'I5', `UPDATE ledger.head SET last_sequence = last_sequence + 1`],
  [
    'a void of a part',
    'I5',
    `UPDATE ledger.transfer SET units = units - 1 WHERE kind = 'v' AND ${ofHold('lost', 'promised_hold')}`,
  ],
  [
    'a win that was paid short',
    'I7',
    `UPDATE ledger.transfer SET units = units - 1 WHERE kind = 'p' AND ${ofHold('won', 'promised_hold')}`,
  ],
  [
    'a loss that was not taken whole',
    'I7',
    `UPDATE ledger.transfer SET units = units - 1 WHERE kind = 'p' AND ${ofHold('lost', 'stake_hold')}`,
  ],
  ['an order of somebody else’s', 'I7', `UPDATE options.orders SET customer_id = 102 WHERE status = 'won'`],
  ['an open order of somebody else’s', 'I7', `UPDATE options.orders SET customer_id = 102 WHERE status = 'holding'`],
  [
    'a fee that went elsewhere',
    'I7',
    `UPDATE ledger.transfer SET credit = (SELECT id FROM ledger.account WHERE code = 240 AND asset = 'USDT') WHERE code = 22`,
  ],
  ['an order without its settlement', 'I7', `DELETE FROM ledger.transfer WHERE ${ofHold('won', 'stake_hold')}`],
  ['an order that goes the other way', 'I7c', `UPDATE options.orders SET direction = 'down' WHERE status = 'holding'`],
  ['a link of promises that is gone', 'PR2', 'DELETE FROM proofs.promise_link WHERE sequence = 1'],
  ['a link over another tree', 'PR1', `UPDATE proofs.promised_tree SET head = repeat('a', 64)`],
  ['terms in no link', 'PR2', 'DELETE FROM proofs.promised_tree'],
  [
    'a link that no tick names',
    'PR3',
    `INSERT INTO proofs.promise_link SELECT 1000, at - interval '10 seconds', '{}', sha256(convert_to('promises/1' || chr(10) || '{}', 'UTF8')), 0 FROM market.head LIMIT 1`,
  ],
  ['an order of another rate', 'I7c', `UPDATE options.orders SET payout_bps = payout_bps + 1 WHERE status = 'holding'`],
  [
    'a shorter wait than the signed one',
    'I7c',
    `UPDATE options.orders SET waited_ms = waited_ms - 400 WHERE status = 'won'`,
  ],
  ['a direction that is like both', 'I7c', `UPDATE options.orders SET direction = '%' WHERE status = 'holding'`],
  ['an origin that is like all', 'I7c', `UPDATE options.orders SET origin = '___' WHERE status = 'holding'`],
  [
    'an order of somebody else’s, beside a second pool',
    'I7',
    `INSERT INTO ledger.account (owner, code, asset, rule) VALUES (0, 210, 'USDT', 'c'); UPDATE options.orders SET customer_id = 102 WHERE status = 'won'`,
  ],
  [
    'another order with the same holds',
    'I7',
    `INSERT INTO options.orders SELECT (jsonb_populate_record(o, '{"id": "11111111-1111-4111-8111-111111111111"}')).* FROM options.orders o WHERE status = 'won'`,
  ],
  ['a win that pays its owner more', 'I7b', `UPDATE options.orders SET credited = credited + 1 WHERE status = 'won'`],
  ['a win by a price that fell', 'I7b', `UPDATE options.orders SET direction = 'down' WHERE status = 'won'`],
  [
    'a start at another moment',
    'I7b',
    `UPDATE options.orders o SET start_sequence = t.sequence, start_price = t.price FROM market.tick t WHERE o.status = 'won' AND t.sequence = o.start_sequence + 1`,
  ],
  [
    'an end at another moment',
    'I7b',
    `UPDATE options.orders o SET end_sequence = t.sequence, end_price = t.price FROM market.tick t WHERE o.status = 'won' AND t.sequence = o.end_sequence - 1`,
  ],
  ['an end at no moment', 'I7b', `UPDATE options.orders SET end_sequence = NULL WHERE status = 'won'`],
  [
    'a void for want of ticks that there are',
    'I7b',
    `UPDATE options.orders SET status = 'void', reason = 'no_end_tick', end_sequence = NULL, end_price = NULL, profit = 0, fee = 0, credited = stake WHERE status = 'lost'`,
  ],
  ['a head that is gone', 'I5', 'DELETE FROM ledger.head'],
  ['a customer’s account that is the house’s', 'I2', `UPDATE ledger.account SET owner = 0 WHERE owner = 102`],
  [
    'what was ever paid in and out of an account, both more',
    'I3',
    `UPDATE ledger.account SET credits_posted = credits_posted + 5, debits_posted = debits_posted + 5 WHERE owner = 101`,
  ],
  ['an order that is gone', 'I8', `DELETE FROM options.orders WHERE status = 'holding'`],
  [
    'a stake that is held for nothing',
    'I8',
    `UPDATE ledger.account SET credits_held = credits_held + 1 WHERE code = 210; UPDATE ledger.account SET debits_held = debits_held + 1 WHERE owner = 101`,
  ],
  ['an exposure in another minute', 'I8b', 'UPDATE options.exposure SET window_ms = window_ms + 60000'],
  ['a price that no tick has', 'I7b', `UPDATE options.orders SET end_price = end_price + 1 WHERE status = 'won'`],
  ['the newest tick, gone', 'T1', 'DELETE FROM market.tick WHERE sequence = (SELECT max(sequence) FROM market.tick)'],
  ['a tick of long ago', 'T1', 'UPDATE market.tick SET price = price + 10000 WHERE sequence = 3'],
  ['a head at another price', 'T1', 'UPDATE market.head SET price = price + 10000'],
  [
    'another tick in its place',
    'T1',
    `UPDATE market.tick SET hash = sha256('x') WHERE sequence = (SELECT max(sequence) FROM market.tick)`,
  ],
];

const TABLES = [
  'ledger.account',
  'ledger.transfer',
  'ledger.journal',
  'ledger.head',
  'options.orders',
  'options.exposure',
  'proofs.promise_link',
  'proofs.promised_tree',
  'market.tick',
  'market.head',
];

const ROUNDS_MAX = 100;
const isOfRoom = ({ isOfPlatform }: { isOfPlatform?: boolean }): boolean => isOfPlatform !== true;

describe('B15 a breach that somebody planted by hand', () => {
  let room: OptionsTest;
  let owner: pg.Client;
  beforeAll(async () => {
    room = await openOptionsTest();
    owner = new pg.Client(room.test.owner);
    await owner.connect();
    const options = await room.open();
    const publish = (price: bigint) => room.publish('BTC', (Math.ceil(room.clock.ms / 1_000) + 2) * 1_000, () => price);
    await publish(START);
    room.clock.ms += 123;
    for (const customer of [101n, 102n]) await room.fund(customer, '100');
    for (const direction of ['up', 'down'] as const)
      await options.buy({ customer: 101n, coin: 'BTC', direction, stake: usdt('10'), seconds: 30 }, room.intent());
    const last = room.clock.ms + 32_000;
    let price = START;
    await room.publish('BTC', last, () => (price += 10_000n));
    expect(await options.settleDue()).toBe(2);
    await options.buy({ customer: 101n, coin: 'BTC', direction: 'up', stake: usdt('7'), seconds: 30 }, room.intent());
    await owner.query('CREATE SCHEMA kept');
    for (const table of TABLES) await owner.query(`CREATE TABLE kept.${table.replace('.', '_')} AS TABLE ${table}`);
    // An attacker who can write every table can drop these triggers too.
    const { rows } = await owner.query<{ drop: string }>(
      `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', conrelid::regclass, conname) AS drop FROM pg_constraint
       WHERE contype IN ('c', 'u') AND conrelid::regclass::text = ANY ($1)`,
      [TABLES],
    );
    for (const { drop } of rows) await owner.query(drop);
    await owner.query(
      'DROP INDEX ledger.transfer_debit, ledger.transfer_credit; SET session_replication_role = replica',
    );
    expect(await room.violations()).toEqual([]);
  });
  afterAll(async () => {
    await owner.end();
    await room.close();
  });

  /** Checks like the deployed checker: a few rows per round in pages of three; only its cursor survives. */
  const foundInPieces = async (): Promise<[rounds: number, invariants: string[]]> => {
    const client = new pg.Client(room.test.checker);
    await client.connect();
    const findings = new Findings();
    const inspecting = { findings, isAsked: isOfRoom, pageRows: 3 };
    let progress: ScanProgress = NO_PROGRESS;
    let rounds = 0;
    for (; progress.passed === null && rounds < ROUNDS_MAX; rounds++)
      progress = JSON.parse(JSON.stringify(await inspectHistory(client, progress, { ...inspecting, rows: 50 })));
    await client.end();
    return [rounds, findings.violations().map((violation) => violation.invariant)];
  };

  it.each(PLANTED)('is found: %s (%s)', async (what, invariant, statement) => {
    const results = await owner.query(statement);
    for (const { rowCount } of [results].flat()) expect(rowCount).toBeGreaterThan(0);
    const found = await findViolations(room.test.checker);
    const [rounds, met] = await foundInPieces();
    for (const table of TABLES)
      await owner.query(
        `DELETE FROM ${table}; INSERT INTO ${table} OVERRIDING SYSTEM VALUE TABLE kept.${table.replace('.', '_')}`,
      );
    expect(found.map((violation) => violation.invariant)).toContain(invariant);
    if (!AT_ONCE.includes(invariant) && !/ahead|newest|head/.test(what)) expect(met).toContain(invariant);
    expect(rounds).toBeLessThan(ROUNDS_MAX);
    expect(await findViolations(room.test.checker)).toEqual([]);
  });

  it('is reported in the next round when it is new, wherever the pass is, until it is repaired', async () => {
    const client = new pg.Client(room.test.checker);
    await client.connect();
    const inspect = async (progress: ScanProgress): Promise<[ScanProgress, string[]]> => {
      const findings = new Findings();
      const inspecting = { findings, isAsked: isOfRoom, pageRows: 7 };
      const asked = await inspectBrokenPages(client, progress, inspecting);
      const after = await inspectNewestRows(client, asked, { ...inspecting, rows: 1_000 });
      return [after, findings.violations().map((violation) => violation.invariant)];
    };
    let [progress, found] = await inspect(NO_PROGRESS);
    expect(found).toEqual([]);
    await room.fund(102n, '3');
    await owner.query(
      'UPDATE ledger.transfer SET credit_total = credit_total + 1 WHERE sequence = (SELECT max(sequence) FROM ledger.transfer)',
    );
    for (let round = 0; round < 2; round++) {
      [progress, found] = await inspect(progress);
      expect(found).toEqual(['I3', 'I4']);
    }
    await owner.query(
      'UPDATE ledger.transfer SET credit_total = credit_total - 1 WHERE sequence = (SELECT max(sequence) FROM ledger.transfer)',
    );
    [progress, found] = await inspect(progress);
    expect(found).toEqual([]);
    expect(progress.broken).toEqual([]);

    // The newest transfer is deleted with its journal and everything that it changed. The remaining rows are
    // consistent, but the checker has already seen the transfer.
    for (const table of TABLES)
      await owner.query(
        `DELETE FROM ${table}; INSERT INTO ${table} OVERRIDING SYSTEM VALUE TABLE kept.${table.replace('.', '_')}`,
      );
    expect(await findViolations(room.test.checker)).toEqual([]);
    [, found] = await inspect(progress);
    expect(found).toEqual(['H1']);
    await client.end();
  });

  it('leaves rows that arrive during a round to the next one', async () => {
    const client = new pg.Client(room.test.checker);
    await client.connect();
    // A client through which somebody pays before each check.
    const busy = new Proxy(client, {
      get: (target, name) =>
        name !== 'query'
          ? Reflect.get(target, name)
          : async (text: string, values?: unknown[]) => {
              if (text.startsWith('BEGIN')) await room.fund(102n, '3');
              return target.query(text, values);
            },
    });
    let pages = 0;
    const onProgress = (): void => {
      pages += 1;
    };
    const inspecting = { findings: new Findings(), isAsked: isOfRoom, rows: 1_000, onProgress };
    const progress = await inspectNewestRows(busy, NO_PROGRESS, inspecting);
    await inspectNewestRows(busy, progress, inspecting);
    await client.end();
    // All transfers were checked, also those made before the second check, each coin's signed ticks, and the promises.
    expect(pages).toBeGreaterThanOrEqual(2);
    expect(pages).toBeLessThanOrEqual(5);
  });

  it('queries the ends of all tables once, and nothing more while none has new rows', async () => {
    const client = new pg.Client(room.test.checker);
    await client.connect();
    const inspecting = { findings: new Findings(), isAsked: isOfRoom, rows: 1_000_000 };
    const progress = await inspectNewestRows(client, NO_PROGRESS, inspecting);
    const asked = vi.spyOn(client, 'query');
    expect(await inspectNewestRows(client, progress, inspecting)).toEqual(progress);
    expect(asked).toHaveBeenCalledTimes(3);
    await client.end();
  });
});
