import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packTicks, sealNextSegment, unpackTicks } from '../../exchange/market/index.ts';
import { openTestIndex, openVirtualClockDatabase, ScriptedSource, testSigner } from '../../exchange/market/testing.ts';
import type { TestDatabase } from '../../platform/database/testing.ts';
import { ed25519Signer } from '../../platform/proofs/index.ts';
import { inspectBrokenPages, inspectNewestRows, invariantsOf } from './inspect-history.ts';
import { SegmentInspector } from './inspect-segments.ts';
import { FREQUENT_INVARIANTS, MINUTELY_INVARIANTS } from './invariants.ts';
import { KnownKeys, type PublicKey } from './known-keys.ts';
import { Findings } from './run-invariants.ts';
import { NO_PROGRESS } from './scan-progress.ts';
import { CHECKER_SCANS } from './scans.ts';

const BEGIN = Date.parse('2026-12-01T03:00:20Z');
const ofIndex: PublicKey = { use: 'index', publicKeyHex: testSigner.publicKeyHex };
const KEYS = new KnownKeys([ofIndex]);

let test: TestDatabase;
let owner: pg.Client;
let checker: pg.Client;

beforeAll(async () => {
  test = await openVirtualClockDatabase();
  [owner, checker] = [new pg.Client(test.owner), new pg.Client(test.checker)];
  await Promise.all([owner.connect(), checker.connect()]);
  const sources = ['a', 'b', 'c'].map((name) => new ScriptedSource(name, ['BTC']));
  const { publisher } = await openTestIndex(test, sources, ['BTC'], new Date(BEGIN));
  for (let second = 1; second <= 400; second += 1) {
    const at = BEGIN + second * 1_000;
    for (const source of sources)
      source.report('BTC', at - 100, 64_000_000_000n + BigInt(second) * 10_000n, `${second}`);
    await publisher.publish(at);
  }
  while (await sealNextSegment(test.index, 'BTC', { ticks: 50, ageSeconds: 60 }));
});
afterAll(async () => {
  await checker.end();
  await owner.end();
  await test.close();
});

const inspect = async (inspector = new SegmentInspector(), keys: KnownKeys | undefined = KEYS): Promise<string[]> => {
  const findings = new Findings();
  while (!(await inspector.inspect(checker, { findings, keys })));
  return findings
    .violations()
    .flatMap(({ invariant, subjects }) => subjects.map((subject) => `${invariant} ${subject}`));
};

/** Makes a change that only the database's owner can make, and reverts it afterwards. */
async function tampered<Result>(
  text: string,
  values: readonly unknown[],
  work: () => Promise<Result>,
): Promise<Result> {
  await owner.query(`SET session_replication_role = replica; ALTER TABLE market.sealed_segment DROP CONSTRAINT IF EXISTS hash_of_bytes;
    CREATE TABLE kept AS TABLE market.sealed_segment`);
  expect((await owner.query(text, [...values])).rowCount).toBeGreaterThan(0);
  try {
    return await work();
  } finally {
    await owner.query(
      'DELETE FROM market.sealed_segment; INSERT INTO market.sealed_segment TABLE kept; DROP TABLE kept',
    );
  }
}

/** Changes a price in one text and links all later texts again. Anybody can compute this, except for the signatures. */
async function forgedBytes(): Promise<{ bytes: Buffer; lastHash: string; prices: string[] }> {
  const { rows } = await owner.query<{ bytes: Buffer; previous: string }>(
    `SELECT bytes, encode(previous_hash, 'hex') AS previous FROM market.sealed_segment WHERE first_sequence = 51`,
  );
  const [{ bytes = Buffer.alloc(0), previous = '' } = {}] = rows;
  const hashOf = (body: string): string => createHash('sha256').update(`tick/1\n${body}`).digest('hex');
  let link = previous;
  const bodies = unpackTicks(bytes, previous).map(({ body }, nth) => {
    const linked = body.replace(/"prev":"[0-9a-f]*"/, `"prev":"${link}"`);
    const forged = nth === 20 ? linked.replace(/"px":"[0-9]+"/, '"px":"65000000000"') : linked;
    link = hashOf(forged);
    return forged;
  });
  const prices = bodies.map((body) => (JSON.parse(body) as { px: string }).px);
  return { bytes: packTicks(bodies, previous), lastHash: link, prices };
}

const WHERE = 'WHERE first_sequence = 51';
const NAMED = ['T4 BTC sealed from 51'];

describe('sealed ticks', () => {
  it('are as they were published', async () => {
    const { rows } = await owner.query('SELECT count(*)::int AS segments FROM market.sealed_segment');
    expect(rows).toEqual([{ segments: 6 }]);
    expect(await inspect()).toEqual([]);
  });

  it.each([
    ['a price beside its text', `UPDATE market.sealed_segment SET prices[21] = prices[21] + 10000 ${WHERE}`],
    ['a second beside its text', `UPDATE market.sealed_segment SET seconds[21] = seconds[21] + 1 ${WHERE}`],
    [
      'the last signature',
      `UPDATE market.sealed_segment SET signatures = overlay(signatures PLACING decode(repeat('00', 64), 'hex') FROM length(signatures) - 63) ${WHERE}`,
    ],
    [
      'a signature that it need not keep',
      `UPDATE market.sealed_segment SET signatures = overlay(signatures PLACING decode(repeat('00', 64), 'hex') FROM 1) ${WHERE}`,
    ],
    ['a lateness that no text says', `UPDATE market.sealed_segment SET late = '{"21": 6000}' ${WHERE}`],
    ['a key of nobody’s', `UPDATE market.sealed_segment SET keys[1] = '0123456789abcdef' ${WHERE}`],
    ['bytes that are no segment', `UPDATE market.sealed_segment SET bytes = 'x', hash = sha256('x') ${WHERE}`],
    [
      'bytes of another segment',
      `UPDATE market.sealed_segment SET (bytes, hash) = (SELECT bytes, hash FROM market.sealed_segment WHERE first_sequence = 101) ${WHERE}`,
    ],
  ])('are not as they were published: %s', async (_what, text) => {
    expect(await tampered(text, [], inspect)).toEqual(NAMED);
    expect(await inspect()).toEqual([]);
  });

  it('are signed: a rewritten chain is consistent, and only its signatures expose it', async () => {
    const { bytes, lastHash, prices } = await forgedBytes();
    const text = `UPDATE market.sealed_segment SET bytes = $1, hash = sha256($1), last_hash = decode($2, 'hex'), prices = $3 ${WHERE}`;
    await tampered(text, [bytes, lastHash, prices], async () => {
      const findings = new Findings();
      while (!(await new SegmentInspector().inspect(checker, { findings })));
      expect(findings.violations()).toEqual([]);
      expect(await inspect()).toEqual(NAMED);
      const another = new KnownKeys([{ use: 'index', publicKeyHex: ed25519Signer(Buffer.alloc(32, 9)).publicKeyHex }]);
      expect(await inspect(new SegmentInspector(), another)).toHaveLength(6);
    });
  });

  it('are reported in each round until they are repaired, even if they were verified before', async () => {
    const inspector = new SegmentInspector();
    expect(await inspect(inspector)).toEqual([]);
    const text = `UPDATE market.sealed_segment SET prices[21] = prices[21] + 10000 ${WHERE}`;
    await tampered(text, [], async () => {
      for (let round = 0; round < 3; round += 1) expect(await inspect(inspector)).toEqual(NAMED);
    });
    expect(await inspect(inspector)).toEqual([]);
  });

  it('are checked a few segments per call, newest first, each once', async () => {
    const inspector = new SegmentInspector();
    const unpacked: string[] = [];
    const counting = new Proxy(checker, {
      get: (target, name) =>
        name !== 'query'
          ? Reflect.get(target, name)
          : (text: string, values: unknown[]) => {
              if (values.length === 2) unpacked.push(String(values[1]));
              return target.query(text, values);
            },
    });
    const call = async (): Promise<[boolean, string[]]> => {
      unpacked.length = 0;
      const findings = new Findings();
      const isWhole = await inspector.inspect(counting, { findings, keys: KEYS, unpackedMax: 5 });
      return [isWhole, [...unpacked]];
    };
    expect(await call()).toEqual([false, ['300', '250', '200', '150', '50']]);
    expect(await call()).toEqual([true, ['100']]);
    expect(await call()).toEqual([true, []]);
  });

  it('are reported as missing when a segment is deleted with every row that refers to it', async () => {
    const inspecting = { findings: new Findings(), keys: KEYS, rows: 100_000 };
    const progress = await inspectNewestRows(checker, NO_PROGRESS, inspecting);
    expect(inspecting.findings.violations()).toEqual([]);
    await tampered('DELETE FROM market.sealed_segment WHERE first_sequence = 251', [], async () => {
      const findings = new Findings();
      await inspectNewestRows(checker, await inspectBrokenPages(checker, progress, { findings }), {
        ...inspecting,
        findings,
      });
      expect(findings.violations()).toContainEqual(
        expect.objectContaining({ invariant: 'H1', subjects: ['sealed ticks BTC 300'] }),
      );
    });
  });
});

it('no invariant that stops money shares its name with one that does not', () => {
  const halting = new Map<string, boolean>();
  for (const { id, isHalting = true } of [
    ...FREQUENT_INVARIANTS,
    ...MINUTELY_INVARIANTS,
    ...CHECKER_SCANS.flatMap((scan) => invariantsOf(scan, true)),
  ]) {
    expect(halting.get(id) ?? isHalting, id).toBe(isHalting);
    halting.set(id, isHalting);
  }
});
