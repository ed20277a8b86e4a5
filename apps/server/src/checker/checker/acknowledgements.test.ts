import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { canonicalText } from '@sathorn/proof';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fundDemoHouse } from '../../demo/demo/index.ts';
import { openLedger } from '../../ledger/index.ts';
import { Bus } from '../../platform/bus/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { ed25519Signer, ownProofKeys } from '../../platform/proofs/index.ts';
import { announceTestKey } from '../../platform/testing-keys.ts';
import { acknowledgeViolations } from './acknowledge-violations.ts';
import { readAcknowledgements } from './acknowledgements.ts';
import type { Checker } from './checker.ts';
import { hasViolations } from './condition.ts';
import { findViolations } from './find-violations.ts';
import {
  inspectPublishedKeys,
  judgePublishedKeys,
  pinnedKeysFile,
  readPinnedKeys,
  writePinnedKeys,
} from './pinned-keys.ts';
import { Findings, runInvariants } from './run-invariants.ts';
import { startChecker } from './start-checker.ts';

const SECRETS = {
  indexKey: Buffer.alloc(32, 1),
  receiptKey: Buffer.alloc(32, 2),
  authorisationKey: Buffer.alloc(32, 9),
};
const RAISED = 'UPDATE ledger.account SET credits_posted = credits_posted + 5000000 WHERE code = 210';

let test: TestDatabase;
let owner: pg.Client;
let folder: string;
let checker: Checker | null = null;
const said: string[] = [];
const keys = () => ({ own: ownProofKeys(SECRETS), file: pinnedKeysFile(folder) });
const start = (): Checker => {
  checker = startChecker(test.checker, (line) => said.push(line), { keys: keys() });
  return checker;
};
/** Requests rounds until the expectation holds. On its own the checker begins one every ten seconds. */
const until = (expects: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(
    () => {
      checker?.look();
      return expects();
    },
    { timeout: 120_000, interval: 200 },
  );
beforeEach(async () => {
  said.length = 0;
  folder = mkdtempSync(path.join(tmpdir(), 'sathorn-checker-'));
  test = await openTestDatabase();
  owner = new pg.Client(test.owner);
  await owner.connect();
  await fundDemoHouse(
    openLedger({ eligibility: null, database: test.database, clock: systemClock, bus: new Bus() }).api,
  );
  await announceTestKey(test, ed25519Signer(SECRETS.indexKey));
  await announceTestKey(test, ed25519Signer(SECRETS.receiptKey), 'receipt');
});
afterEach(async () => {
  await checker?.stop();
  checker = null;
  await owner.end();
  await test.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a finding of the checker', () => {
  it('halts money once, until the owner acknowledges it by name; then money moves, and the acknowledgement is shown', async () => {
    await owner.query(`SET session_replication_role = replica; ${RAISED}; SET session_replication_role = DEFAULT`);
    const running = start();
    await until(() => expect(running.report()?.halted).toMatch(/^I1/));
    expect(hasViolations(running.report())).toBe(true);

    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    await acknowledgeViolations(test.owner, null, print);
    expect(lines[0]).toMatch(/^MONEY IS HALTED: I1/);
    expect(lines[1]).toBe('Not acknowledged:');
    const answer = { violations: 'all', by: 'Ann', why: 'a test of ours' } as const;
    await expect(acknowledgeViolations(test.owner, { ...answer, violations: ['99'] }, print)).rejects.toThrow('99');
    await expect(acknowledgeViolations(test.owner, { ...answer, by: ' ' }, print)).rejects.toThrow('by_name');
    // The first round did not report everything; the rest halts money again until it is acknowledged too.
    await until(async () => {
      await acknowledgeViolations(test.owner, answer, print);
      const { acknowledged, violations, halted } = running.report() ?? {};
      expect({ violations, halted }).toEqual({ violations: [], halted: null });
      expect(acknowledged).toBeGreaterThanOrEqual(2);
    });
    expect(hasViolations(running.report())).toBe(false);
    expect(said.at(-1)).toBe('Money moves again');

    const { rows } = await owner.query('SELECT event, by_name, reason FROM ledger.halt ORDER BY id');
    expect(rows[0]).toMatchObject({ event: 'halted', by_name: null });
    expect(rows[1]).toEqual({ event: 'resumed', by_name: 'Ann', reason: 'a test of ours' });
    for (const table of ['violation', 'acknowledgement', 'halt'])
      await expect(owner.query(`DELETE FROM ledger.${table}`)).rejects.toThrow('append-only');
  });

  it('is reported although another subject of the same invariant was acknowledged, however many there were', async () => {
    const client = new pg.Client(test.checker);
    await client.connect();
    const invariant = { id: 'X1', says: 'x', text: 'SELECT n::text AS subject FROM generate_series(1, 31) AS n' };
    for (let n = 1; n <= 30; n++) {
      await client.query('SELECT ledger.report_violations($1, $2, $3)', [['X1'], [`${n}`], ['x']]);
      await owner.query('SELECT ledger.acknowledge($1, $2, $3)', [n, 'Ann', 'known']);
    }
    const findings = new Findings(await readAcknowledgements(client));
    await client.query('BEGIN');
    await runInvariants(client, [invariant], findings);
    expect(findings.violations()).toEqual([{ invariant: 'X1', says: 'x', subjects: ['31'] }]);
    await client.end();
  });

  it('can’t be acknowledged by the application or the checker', async () => {
    for (const connection of [test.app, test.checker]) {
      const client = new pg.Client(connection);
      await client.connect();
      for (const text of [
        `SELECT ledger.acknowledge(1, 'Ann', 'x')`,
        `SELECT ledger.resume_money('Ann', 'x')`,
        `UPDATE ledger.head SET halted = NULL`,
      ])
        await expect(client.query(text)).rejects.toThrow('permission denied');
      await client.end();
    }
  });
});

describe('money that is resumed by hand', () => {
  it('leaves a record that the checker reports', async () => {
    await owner.query(`SELECT ledger.halt_money('I2: a test'); UPDATE ledger.head SET halted = NULL`);
    const { rows } = await owner.query('SELECT id, event, by_name FROM ledger.halt ORDER BY id DESC LIMIT 1');
    expect(rows).toEqual([{ id: expect.anything(), event: 'resumed', by_name: null }]);
    expect(await findViolations(test.checker)).toMatchObject([
      { invariant: 'A1', subjects: [`resumed ${rows[0].id}`] },
    ]);
  });

  it('is reported if the record was switched off before', async () => {
    await owner.query(`SELECT ledger.halt_money('I2: a test'); SET session_replication_role = replica;
      UPDATE ledger.head SET halted = NULL; SET session_replication_role = DEFAULT`);
    expect((await findViolations(test.checker)).map(({ invariant }) => invariant)).toEqual(['A1']);
  });
});

describe('a database whose rules were weakened', () => {
  it('can’t keep the process from reporting it, nor from refusing money', async () => {
    await owner.query(`CREATE OR REPLACE FUNCTION ledger.halt_money(_reason text) RETURNS void
      LANGUAGE sql SECURITY DEFINER SET search_path = ledger, pg_temp AS ''; ${RAISED}`);
    const running = start();
    await until(() => expect(hasViolations(running.report())).toBe(true));
    expect(running.report()?.halted).toBeNull();
    expect(running.report()?.violations.map(({ invariant }) => invariant)).toEqual(
      expect.arrayContaining(['G3', 'I1']),
    );
    expect(said.join()).toMatch(/MONEY IS NOT HALTED though it should be.*G3: .*ledger\.halt_money/);
    // The verdict stays the same between thorough rounds.
    const before = running.report()?.checked;
    await until(() => expect(running.report()?.checked).not.toBe(before));
    expect(running.report()?.violations.map(({ invariant }) => invariant)).toContain('G3');
  });
});

describe('the published keys', () => {
  const inspect = async (pinned: ReturnType<typeof readPinnedKeys>) => {
    const client = new pg.Client(test.checker);
    await client.connect();
    const { violations, pins } = await inspectPublishedKeys(client, { own: ownProofKeys(SECRETS), pinned });
    await client.end();
    return { subjects: violations.flatMap(({ subjects }) => subjects), pins };
  };
  const tamper = (statement: string) =>
    owner.query(`SET session_replication_role = replica; ${statement}; SET session_replication_role = DEFAULT`);

  it.each([
    ['back-dated', `UPDATE proofs.key SET at = at - interval '400 days' WHERE use = 'index'`, 'signs since'],
    ['gone', `DELETE FROM proofs.key WHERE use = 'index'`, 'is gone'],
    [
      'joined by a key of nobody’s',
      `INSERT INTO proofs.key (id, use, public_key) SELECT left(encode(sha256(k), 'hex'), 16), 'receipt', k FROM (SELECT decode(repeat('ab', 32), 'hex') AS k) key`,
      'of nobody known',
    ],
    ['named for another key', `UPDATE proofs.key SET id = '0123456789abcdef' WHERE use = 'index'`, 'not the id'],
  ])('are distinguished from those that are %s', async (_what, statement, says) => {
    const { subjects, pins } = await inspect(null);
    expect(subjects).toEqual([]);
    writePinnedKeys(pinnedKeysFile(folder), test.checker, pins);
    expect((await inspect(readPinnedKeys(pinnedKeysFile(folder), test.checker))).subjects).toEqual([]);
    await tamper(statement);
    expect((await inspect(readPinnedKeys(pinnedKeysFile(folder), test.checker))).subjects.join()).toContain(says);
  });

  it('may be joined by a key of this server', async () => {
    const { pins } = await inspect(null);
    await tamper(`DELETE FROM proofs.key WHERE use = 'receipt'`);
    const younger = pins.filter(({ use }) => use === 'index');
    await announceTestKey(test, ed25519Signer(SECRETS.receiptKey), 'receipt');
    const after = await inspect(younger);
    expect(after.subjects).toEqual([]);
    expect(after.pins).toHaveLength(2);
  });

  it('may be joined by a key that its predecessor has announced, and by no other', () => {
    const [first, second, third] = [1, 2, 3].map((n) => ed25519Signer(Buffer.alloc(32, n)));
    if (!first || !second || !third) throw new Error('three keys');
    const published = {
      use: 'index' as const,
      id: first.keyId,
      publicKeyHex: first.publicKeyHex,
      from: 'then',
      record: null,
      previousSignature: null,
    };
    const trust = { own: [], pinned: [published] };
    const follow = (signer: typeof first, by: typeof first) => {
      const record = canonicalText({
        v: 'key/1',
        use: 'index',
        id: signer.keyId,
        public_key: signer.publicKeyHex,
        prev: first.keyId,
        from: '1',
      });
      return {
        ...published,
        id: signer.keyId,
        publicKeyHex: signer.publicKeyHex,
        record,
        previousSignature: by.sign(record).signature,
      };
    };
    expect(judgePublishedKeys([published, follow(second, first)], trust).subjects).toEqual([]);
    expect(judgePublishedKeys([published, follow(second, third)], trust).subjects).toEqual([
      `index ${second.keyId} is of nobody known`,
    ]);
    const { record, previousSignature } = follow(second, first);
    const others = { ...follow(third, first), record, previousSignature };
    expect(judgePublishedKeys([published, others], trust).subjects).toEqual([
      `index ${third.keyId} is of nobody known`,
    ]);
  });

  it('are stored beside the secrets by the process that started the checker', async () => {
    const running = start();
    await until(() => expect(running.report()).not.toBeNull());
    expect(existsSync(pinnedKeysFile(folder))).toBe(true);
    expect(JSON.stringify(JSON.parse(readFileSync(pinnedKeysFile(folder), 'utf8')))).toContain(
      ed25519Signer(SECRETS.indexKey).publicKeyHex,
    );
    // Another database in the same folder has its own keys.
    expect(readPinnedKeys(pinnedKeysFile(folder), { ...test.checker, host: randomUUID() })).toBeNull();
    expect(running.report()?.violations).toEqual([]);
  });
});
