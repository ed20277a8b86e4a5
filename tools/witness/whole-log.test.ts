import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { utf8Bytes } from '@sathorn/proof';
import {
  collectCosignatures,
  consistencyFromTiles,
  growLog,
  judgeCheckpoint,
  judgeLogStart,
  type LogStart,
  type ReadTile,
  readWitnessPolicy,
  rootFromTiles,
  signerKey,
  signNote,
  tilePath,
  type WitnessPolicy,
  writeCheckpoint,
  writeNote,
  writeVerifierKey,
} from '@sathorn/transparency';
import { afterAll, describe, expect, it } from 'vitest';
import { serveWitness } from './serve-witness.ts';
import { TestingDisk } from './testing-disk.ts';
import { LOG_KEY, seedOf } from './testing-log.ts';
import { openWitness } from './witness.ts';
import { writeState } from './witness-state.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

let seconds = 1_790_000_000;

/** A witness behind HTTP, whose disk outlives it. */
class RunningWitness {
  readonly name: string;
  readonly key;
  readonly disk = new TestingDisk();
  url = '';
  #server: Server | null = null;

  constructor(name: string, n: number) {
    this.name = name;
    this.key = signerKey(`witness.example/${name}`, 'cosignature', seedOf(n));
    writeState(this.disk, writeVerifierKey(this.key), new Map());
  }

  async start(): Promise<void> {
    const witness = openWitness({ key: this.key, logs: [LOG_KEY], disk: this.disk, now: () => seconds });
    const server = serveWitness(witness, () => undefined);
    servers.push(server);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve) ?? resolve(null));
  }
}

/** A log as a server keeps it: it stores, remembers, signs and asks, in this order. */
class RunningLog {
  readonly files: Map<string, Uint8Array>;
  readonly #policy: WitnessPolicy;
  readonly #witnesses: readonly RunningWitness[];
  readonly #sizes = new Map<string, number>();
  size: number;
  ownNote: string | null;
  /** What everybody sees at `/log/checkpoint`. */
  published = '';

  constructor(policy: WitnessPolicy, witnesses: readonly RunningWitness[], older?: RunningLog) {
    this.#policy = policy;
    this.#witnesses = witnesses;
    this.files = new Map(older?.files);
    this.size = older?.size ?? 0;
    this.ownNote = older?.ownNote ?? null;
  }

  readonly read: ReadTile = async (place) => this.files.get(tilePath(place));

  async start(): Promise<LogStart> {
    const origin = createHash('sha256').update(LOG_KEY.name).digest('hex');
    const heard = new Map<string, string | null>();
    for (const { name, url } of this.#witnesses) {
      const answer = await fetch(`${url}/${origin}/checkpoint`).catch(() => null);
      if (answer?.status === 200) heard.set(name, await answer.text());
      if (answer?.status === 404) heard.set(name, null);
    }
    const { size, ownNote, read } = this;
    const rootOf = (count: number) => rootFromTiles(count, read, size);
    return judgeLogStart({ log: LOG_KEY, size, rootOf, ownNote, heard, policy: this.#policy });
  }

  async add(...says: readonly string[]): Promise<readonly string[]> {
    const head = { origin: LOG_KEY.name, size: this.size };
    const { files, checkpoint } = await growLog(head, says.map(utf8Bytes), this.read);
    for (const file of files) this.files.set(tilePath(file), file.bytes);
    this.size = checkpoint.size;
    const text = writeCheckpoint(checkpoint);
    const note = { text, signatures: [signNote(text, LOG_KEY)] };
    this.ownNote = writeNote(note);
    const words = await collectCosignatures({
      note,
      size: checkpoint.size,
      witnesses: this.#policy.witnesses,
      sizes: this.#sizes,
      proofFrom: (before) => consistencyFromTiles(before, checkpoint.size, this.read),
      ask: async ({ name }, body) => {
        const url = this.#witnesses.find((each) => each.name === name)?.url;
        const answer = await fetch(`${url}/add-checkpoint`, { method: 'POST', body });
        return { status: answer.status, body: await answer.text() };
      },
    });
    const cosigned = [...words].flatMap(([name, word]) => {
      if (word.kind !== 'cosigned') return [];
      this.#sizes.set(name, checkpoint.size);
      return [word.signature];
    });
    this.published = writeNote({ text, signatures: [...note.signatures, ...cosigned] });
    return [...words].map(([name, word]) => `${name} ${word.kind}`);
  }
}

describe('a log with three witnesses, of which two are enough', () => {
  const witnesses = ['A', 'B', 'C'].map((name, n) => new RunningWitness(name, 30 + n));
  const lines = witnesses.map(({ name, key }) => `witness ${name} ${writeVerifierKey(key)}`);
  const policy = readWitnessPolicy(
    [`log ${writeVerifierKey(LOG_KEY)}`, ...lines, 'group G 2 A B C', 'quorum G'].join('\n'),
  );
  if ('fault' in policy) throw new Error(policy.fault);
  const all = ['A', 'B', 'C'];
  const batchOf = (count: number, says = 'entry'): string[] => Array.from({ length: count }, (_, n) => `${says} ${n}`);

  it('is accepted at each visit, also while one witness is away, and never after it forked', async () => {
    const log = new RunningLog(policy, witnesses);
    for (const witness of witnesses) await witness.start();
    expect(await log.start()).toEqual({ canSign: true });

    // A reader keeps the newest checkpoint, and asks the log's tiles for the way from there.
    let kept: { origin: string; size: number; root: Uint8Array<ArrayBuffer> } | null = null;
    const visit = async (of = log): Promise<string> => {
      const before = kept?.size ?? 0;
      const proof = before <= of.size ? await consistencyFromTiles(before, of.size, of.read) : null;
      const found = await judgeCheckpoint({ note: of.published, policy, previous: kept, proof });
      if (!found.isAccepted) return found.refusal;
      kept = found.checkpoint;
      return found.cosigned.map(({ witness }) => witness).join('');
    };

    expect(await log.add(...batchOf(10))).toEqual(all.map((name) => `${name} cosigned`));
    expect(await visit()).toBe('ABC');
    const older = new RunningLog(policy, witnesses, log);
    const [, second] = witnesses;
    if (second === undefined) throw new Error('no witness');
    await second.stop();
    expect(await log.add(...batchOf(300))).toEqual(['A cosigned', 'B nothing', 'C cosigned']);
    expect(await visit()).toBe('AC');
    seconds += 10;
    await second.start();
    // It is behind, says so, and gets a proof from where it was.
    expect(await log.add('one more')).toEqual(all.map((name) => `${name} cosigned`));
    expect(await visit()).toBe('ABC');
    expect(await log.start()).toEqual({ canSign: true });

    // The storage is restored from an older copy, and the log's own memory with it.
    expect(await older.start()).toEqual({ canSign: false, refusal: 'behind', by: 'A', size: 311 });
    // Were it to sign nevertheless, no witness would go along, and no reader who was here before.
    expect(await older.add(...batchOf(400, 'other'))).toEqual(all.map((name) => `${name} refused`));
    expect(await visit(older)).toBe('quorum_missing');
    expect(await older.start()).toMatchObject({ canSign: false, refusal: 'other_tree', by: 'A', size: 311 });
    expect(await visit()).toBe('ABC');
  });
});
