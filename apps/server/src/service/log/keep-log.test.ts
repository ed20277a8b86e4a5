import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { leafHash, rootFromPath, utf8Bytes } from '@sathorn/proof';
import {
  type Checkpoint,
  commitmentOf,
  consistencyFromTiles,
  cosign,
  inclusionFromTiles,
  isSameRoot,
  judgeCheckpoint,
  type LoggedEntry,
  readAddCheckpoint,
  readEntryBundle,
  readLoggedEntry,
  readWitnessPolicy,
  refusalOfHistory,
  signerKey,
  writeNote,
  writeSignatureLine,
  writeVerifierKey,
} from '@sathorn/transparency';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import { type Database, openDatabase } from '../../platform/database/index.ts';
import { copyDatabase, openTestDatabase, runAsOwner, type TestDatabase } from '../../platform/database/testing.ts';
import { openLogKeeper } from './keep-log.ts';
import { openLogFolder } from './log-folder.ts';
import { readLogFile, readPublished } from './log-store.ts';

let seconds = 1_790_000_000;

/** A witness without a disk. */
class TestWitness {
  readonly key;
  isAway = false;
  latest: Checkpoint | null = null;
  note: string | null = null;

  constructor(n: number) {
    this.key = signerKey(`witness.example/${n}`, 'cosignature', new Uint8Array(32).fill(n));
  }

  answer(body: string): { status: number; body: string } {
    if (this.isAway) throw new Error('away');
    const request = readAddCheckpoint(utf8Bytes(body));
    if (request === undefined) throw new Error('malformed');
    const refusal = refusalOfHistory(request, this.latest);
    if (refusal !== null) return { status: refusal.status, body: refusal.status === 409 ? `${refusal.size}\n` : '' };
    this.latest = request.checkpoint;
    const signature = cosign(request.note.text, seconds, this.key);
    this.note = writeNote({ ...request.note, signatures: [...request.note.signatures, signature] });
    return { status: 200, body: writeSignatureLine(signature) };
  }
}

const folders: string[] = [];
const databases: Database[] = [];
let tests: TestDatabase[] = [];
let place = '';
let witnesses: TestWitness[] = [];
beforeEach(async () => {
  tests = [await openTestDatabase()];
  place = path.join(mkdtempSync(path.join(tmpdir(), 'public-log-')), 'log');
  folders.push(path.dirname(place));
  witnesses = [new TestWitness(1), new TestWitness(2), new TestWitness(3)];
});
afterEach(async () => {
  await Promise.all(databases.splice(0).map((database) => database.close()));
  await Promise.all(tests.map((test) => test.close()));
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A log of three witnesses, of which two are enough. */
function openLog(test = tests[0]) {
  if (test === undefined) throw new Error('no database');
  const database = openDatabase(test.log, { connections: 2 });
  databases.push(database);
  const folder = openLogFolder(place, 'sathorn.example');
  const lines = [
    `log ${writeVerifierKey(folder.key)}`,
    ...witnesses.map(({ key }) => `witness ${key.name} ${writeVerifierKey(key)}`),
    `group two 2 ${witnesses.map(({ key }) => key.name).join(' ')}`,
    'quorum two',
  ];
  const policyText = lines.join('\n');
  const policy = readWitnessPolicy(policyText);
  if ('fault' in policy) throw new Error(policy.fault);
  const find = (name: string) => witnesses.find(({ key }) => key.name === name);
  const keeper = openLogKeeper({
    database,
    folder,
    policy,
    policyText,
    ask: async ({ name }, body) => find(name)?.answer(body) ?? { status: 404, body: '' },
    hear: async ({ name }) => (find(name)?.isAway ? undefined : (find(name)?.note ?? null)),
    now: () => new Date(seconds * 1_000),
  });
  const read = (at: Parameters<typeof readLogFile>[1]) => readLogFile(database, at);
  return { keeper, policy, read, database, folder };
}

const offer = (subject: string): string =>
  `INSERT INTO offer.version (kind, subject, version, effective_from, fields) VALUES ('coin', '${subject}', 1, now(), '{}')`;

async function entriesOf(read: ReturnType<typeof openLog>['read'], size: number): Promise<LoggedEntry[]> {
  const bundle = await read({ level: 'entries', index: 0, width: size });
  return (bundle === undefined ? [] : (readEntryBundle(bundle) ?? [])).map((bytes) => {
    const entry = readLoggedEntry(new TextDecoder().decode(bytes));
    if (entry === undefined) throw new Error('not an entry');
    return entry;
  });
}

describe('the public log', () => {
  it('logs each record once, and readers accept every checkpoint after the one before', async () => {
    const [test] = tests;
    if (test === undefined) return;
    const { keeper, policy, read } = openLog();
    expect(await keeper.start()).toBe(true);
    let previous: Checkpoint | null = null;
    const visit = async (): Promise<Checkpoint> => {
      const published = await readPublished(test.database);
      if (published === null) throw new Error('nothing is published');
      const proof = previous && (await consistencyFromTiles(previous.size, published.size, read));
      const found = await judgeCheckpoint({ note: published.note, policy, previous, proof });
      if (!found.isAccepted) throw new Error(found.refusal);
      previous = found.checkpoint;
      return found.checkpoint;
    };
    await runAsOwner(test.owner, offer('AAA'));
    await keeper.round();
    const first = await visit();
    await runAsOwner(test.owner, offer('BBB'));
    seconds += 10;
    await keeper.round();
    const second = await visit();
    await keeper.round();
    expect((await visit()).size).toBe(second.size);

    const entries = await entriesOf(read, second.size);
    const offers = entries.flatMap(({ record }) => (record?.kind === 'offer' ? [record.subject] : []));
    expect(offers.filter((subject) => /AAA|BBB/.test(subject))).toEqual(['coin/AAA/1', 'coin/BBB/1']);
    expect(new Set(offers).size).toBe(offers.length);
    expect(second.size).toBe(first.size + 1);
    // Each of them leads to the root that the witnesses cosigned.
    const last = second.size - 1;
    const bundle = await read({ level: 'entries', index: 0, width: second.size });
    const leaf = bundle && readEntryBundle(bundle)?.[last];
    const root = rootFromPath(
      leafHash(leaf ?? new Uint8Array()),
      last,
      second.size,
      await inclusionFromTiles(last, second.size, read),
    );
    expect(root && isSameRoot(root, second.root)).toBe(true);
    expect(await findViolations(test.checker)).toEqual([]);
  });

  it('commits to what concerns a person, and says it to nobody', async () => {
    const [test] = tests;
    if (test === undefined) return;
    await runAsOwner(
      test.owner,
      `ALTER TABLE deposits.bank_line DISABLE TRIGGER USER;
       INSERT INTO deposits.bank_line (id, bank_reference, at, amount, payer, reference)
       VALUES ('00000000-0000-4000-8000-000000000001', 'R1', '2026-11-01T00:00:00Z', 12345, 'Somchai', 'D-1')`,
    );
    const { keeper, read, database } = openLog();
    await keeper.start();
    await keeper.round();
    const { size } = (await readPublished(database)) ?? { size: 0 };
    const entries = await entriesOf(read, size);
    const line = entries.find(({ record }) => record?.kind === 'bank_line')?.record;
    expect(line).toMatchObject({ said: { statement: null } });
    expect(JSON.stringify(entries)).not.toMatch(/Somchai|12345/);
    const client = new pg.Client(test.app);
    await client.connect();
    const { rows } = await client.query(`SELECT salt FROM log.entry WHERE kind = 'bank_line'`);
    await client.end();
    const hidden = {
      bank_reference: 'R1',
      at: String(Date.parse('2026-11-01T00:00:00Z')),
      amount: '12345',
      payer: 'Somchai',
      reference: 'D-1',
    };
    expect(commitmentOf(hidden, rows[0].salt)).toBe(line?.hidden);
    expect(commitmentOf({ ...hidden, amount: '12346' }, rows[0].salt)).not.toBe(line?.hidden);
  });

  it('dates the key of a customer’s device, and its end, without naming the customer', async () => {
    const [test] = tests;
    if (test === undefined) return;
    const { keeper, read, database } = openLog();
    await keeper.start();
    await runAsOwner(
      test.owner,
      `SET session_replication_role = replica;
       INSERT INTO customers.device_key (id, customer, public_key, session, device, mac, created_at, revoked_at)
       SELECT left(encode(sha256(key), 'hex'), 32), 4711, key, gen_random_uuid(), 'phone', sha256('mac'), now(), now()
       FROM (SELECT '\\x04'::bytea || sha256('x') || sha256('y') AS key) made`,
    );
    await keeper.round();
    const { size } = (await readPublished(database)) ?? { size: 0 };
    const entries = await entriesOf(read, size);
    const keys = entries.flatMap(({ record }) => (record?.kind.startsWith('device_key') ? [record] : []));
    expect(keys).toEqual([
      expect.objectContaining({
        kind: 'device_key',
        said: { public_key: expect.stringMatching(/^04[0-9a-f]{128}$/) },
        hidden: expect.stringMatching(/^[0-9a-f]{64}$/),
      }),
      expect.objectContaining({ kind: 'device_key_removed', said: {}, hidden: null }),
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/4711|phone/);
  });

  it('is published under one name: a second process waits until the first has been silent for a minute', async () => {
    const [test] = tests;
    if (test === undefined) return;
    const first = openLog();
    await first.keeper.start();
    await first.keeper.round();
    place = path.join(path.dirname(place), 'second');
    witnesses = [new TestWitness(1), new TestWitness(2), new TestWitness(3)];
    const second = openLog();
    await second.keeper.start();
    await expect(second.keeper.round()).rejects.toThrow(/another process publishes a log of another name/);
    expect((await readPublished(test.database))?.note).toContain(first.folder.key.name);
    seconds += 61;
    await second.keeper.round();
    expect((await readPublished(test.database))?.note).toContain(second.folder.key.name);
  });

  it('publishes nothing until enough witnesses have cosigned', async () => {
    const [test] = tests;
    if (test === undefined) return;
    const { keeper, database } = openLog();
    await keeper.start();
    for (const witness of witnesses.slice(1)) witness.isAway = true;
    await keeper.round();
    expect(await readPublished(database)).toBeNull();
    for (const witness of witnesses) witness.isAway = false;
    await keeper.round();
    expect((await readPublished(database))?.note.split('\n— ')).toHaveLength(5);
  });

  it('goes on after a restart, waits for witnesses, and never signs over a rollback or a changed row', async () => {
    const [test] = tests;
    if (test === undefined) return;
    const { keeper } = openLog();
    await keeper.start();
    await keeper.round();
    const older = await copyDatabase(test);
    tests.push(older);
    await runAsOwner(test.owner, offer('AAA'));
    await keeper.round();

    // A process that died between its commit and its signature signs what is stored.
    await runAsOwner(test.owner, offer('BBB'));
    const again = openLog().keeper;
    for (const witness of witnesses.slice(1)) witness.isAway = true;
    expect(await again.start()).toBe(false);
    for (const witness of witnesses) witness.isAway = false;
    expect(await again.start()).toBe(true);
    await again.round();

    await expect(openLog(older).keeper.start()).rejects.toThrow(/the log itself remembers \d+ entries/);
    // With its own memory set back as well, the witnesses remember.
    rmSync(path.join(place, 'note'));
    await expect(openLog(older).keeper.start()).rejects.toThrow(/witness\.example\/\d remembers \d+ entries/);

    await runAsOwner(
      test.owner,
      `ALTER TABLE log.hash DISABLE TRIGGER USER; UPDATE log.hash SET hash = sha256('other') WHERE level = 0 AND index = 0`,
    );
    await runAsOwner(test.owner, offer('CCC'));
    await expect(again.round()).rejects.toThrow(/another tree/);
    await expect(openLog().keeper.start()).rejects.toThrow(/another tree/);
  });

  it('can write nothing but the log, which the application can’t write', async () => {
    const [test] = tests;
    if (test === undefined) return;
    const asLog = new pg.Client(test.log);
    const asApp = new pg.Client(test.app);
    await Promise.all([asLog.connect(), asApp.connect()]);
    try {
      await expect(asLog.query('SELECT FROM ledger.account')).rejects.toThrow(/permission denied/);
      await expect(asLog.query('SELECT FROM log.record')).rejects.toThrow(/permission denied/);
      const entry = (index: number) => `INSERT INTO log.entry (index, kind, body) VALUES (${index}, 'heads', '{}')`;
      await expect(asLog.query(entry(5))).rejects.toThrow(/leaves a gap/);
      await asLog.query(entry(0));
      await expect(asLog.query(`UPDATE log.entry SET body = '[]'`)).rejects.toThrow(/permission denied/);
      await expect(asApp.query(entry(1))).rejects.toThrow(/permission denied/);
    } finally {
      await Promise.all([asLog.end(), asApp.end()]);
    }
  });

  it('an entry that was exchanged, and a record that is missing or was changed, are found by the checker', async () => {
    const [test] = tests;
    if (test === undefined) return;
    const { keeper } = openLog();
    await runAsOwner(test.owner, offer('AAA'));
    await keeper.start();
    await keeper.round();
    await runAsOwner(
      test.owner,
      `ALTER TABLE log.entry DISABLE TRIGGER USER; ALTER TABLE offer.version DISABLE TRIGGER USER;
       UPDATE log.entry SET body = replace(body, '"kind"', '"Kind"') WHERE index = 0;
       UPDATE offer.version SET fields = '{"a":"b"}' WHERE subject = 'AAA';
       INSERT INTO offer.version (kind, subject, version, effective_from, fields, at)
       VALUES ('coin', 'BBB', 1, now(), '{}', now() - interval '1 hour')`,
    );
    const found = await findViolations(test.checker);
    const of = (id: string) => found.filter(({ invariant }) => invariant === id).flatMap(({ subjects }) => subjects);
    expect(of('LG1')).toEqual(['0']);
    expect(of('LG2')).toEqual(['offer coin/BBB/1']);
    expect(of('LG3')).toContain('offer coin/AAA/1');
  });
});
