import { utf8Bytes } from '@sathorn/proof';
import { readCheckpoint, readNote, signerKey, writeVerifierKey } from '@sathorn/transparency';
import { describe, expect, it } from 'vitest';
import { type AfterCut, PowerCut, TestingDisk } from './testing-disk.ts';
import { LOG_KEY, secondsOf, seedOf, TestingLog } from './testing-log.ts';
import { openWitness, type Witness } from './witness.ts';
import { STATE_FILE, writeState } from './witness-state.ts';

const KEY = signerKey('witness.example/w', 'cosignature', seedOf(7));
const START = 1_790_000_000;

const log = new TestingLog(20);
/** Another history of the same log, signed by the same key, from entry 9 on. */
const fork = new TestingLog(20, 'other', 9);

function freshDisk(): TestingDisk {
  const disk = new TestingDisk();
  writeState(disk, writeVerifierKey(KEY), new Map());
  return disk;
}
const openOn = (disk: TestingDisk, now = () => START): Witness => openWitness({ key: KEY, logs: [LOG_KEY], disk, now });
const ask = (witness: Witness, body: string) => witness.addCheckpoint(utf8Bytes(body));

describe('a witness', () => {
  it('cosigns a log that grows, with the time, and shows the newest note', async () => {
    const witness = openOn(freshDisk());
    for (const [before, size] of [
      [0, 3],
      [3, 3],
      [3, 20],
    ] as const) {
      const answer = await ask(witness, log.request(before, size));
      if (answer.status !== 200) throw new Error(JSON.stringify(answer));
      expect(await secondsOf(log.text(size), answer.line, KEY)).toBe(START);
      const newest = readNote(witness.newest(LOG_KEY.name) ?? '');
      expect(newest).toMatchObject({ text: log.text(size), signatures: [{ id: LOG_KEY.id }, { id: KEY.id }] });
    }
    expect(witness.newest('log.example/b')).toBeNull();
  });

  it('refuses with its own size, and what does not follow', async () => {
    const witness = openOn(freshDisk());
    await ask(witness, log.request(0, 12));
    expect(await ask(witness, log.request(0, 20))).toMatchObject({ status: 409, size: 12 });
    expect(await ask(witness, log.request(3, 5))).toMatchObject({ status: 409, size: 12 });
    expect(await ask(witness, fork.request(12, 20))).toMatchObject({ status: 422, why: 'proof_wrong' });
    expect(await ask(witness, fork.request(12, 12))).toMatchObject({ status: 422, why: 'root_differs' });
    const stranger = signerKey(LOG_KEY.name, 'note', seedOf(2));
    expect(await ask(witness, log.request(12, 20, stranger))).toMatchObject({ status: 403 });
    const unknown = signerKey('log.example/b', 'note', seedOf(2));
    expect(await ask(witness, new TestingLog(3, 'entry', 0, unknown).request(0, 3))).toMatchObject({ status: 404 });
    expect(await ask(witness, 'old 12\n')).toEqual({ status: 400, why: 'malformed' });
    expect(await ask(witness, log.request(12, 20))).toMatchObject({ status: 200 });
  });

  it('signs one of two histories that are asked for at once, however many ask', async () => {
    for (let round = 0; round < 5; round += 1) {
      const witness = openOn(freshDisk());
      await ask(witness, log.request(0, 5));
      const bodies = Array.from({ length: 40 }, (_, n) => (n % 2 === round % 2 ? log : fork).request(5, 11 + (n % 7)));
      const answers = await Promise.all(bodies.map((body) => ask(witness, body)));
      // All ask from the same size, so only one of them is first.
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    }
  });

  it('keeps logs apart', async () => {
    const second = signerKey('log.example/b', 'note', seedOf(2));
    const other = new TestingLog(9, 'entry', 0, second);
    const disk = freshDisk();
    const witness = openWitness({ key: KEY, logs: [LOG_KEY, second], disk, now: () => START });
    expect(await ask(witness, log.request(0, 12))).toMatchObject({ status: 200 });
    expect(await ask(witness, other.request(0, 4))).toMatchObject({ status: 200 });
    // A log that is no longer accepted is not forgotten.
    const without = openOn(disk);
    expect(await ask(without, log.request(12, 20))).toMatchObject({ status: 200 });
    const again = openWitness({ key: KEY, logs: [LOG_KEY, second], disk, now: () => START });
    expect(await ask(again, other.request(0, 9))).toMatchObject({ status: 409, size: 4 });
  });

  it('never dates a larger log before a smaller one, also when its clock is set back', async () => {
    let seconds = START;
    const disk = freshDisk();
    const witness = openOn(disk, () => seconds);
    await ask(witness, log.request(0, 5));
    seconds -= 3_600;
    for (const each of [witness, openOn(disk, () => seconds)]) {
      const answer = await ask(each, log.request(5, 5));
      expect(answer.status === 200 && (await secondsOf(log.text(5), answer.line, KEY))).toBe(START);
    }
  });

  it('writes nothing for the same question in the same second', async () => {
    const disk = freshDisk();
    let seconds = START;
    const witness = openOn(disk, () => seconds);
    await ask(witness, log.request(0, 5));
    const { steps } = disk;
    expect(await ask(witness, log.request(5, 5))).toMatchObject({ status: 200 });
    expect(disk.steps).toBe(steps);
    seconds += 1;
    await ask(witness, log.request(5, 5));
    expect(disk.steps).toBeGreaterThan(steps);
  });
});

describe('a state that can’t be right stops the start', () => {
  const good = freshDisk();
  const text = good.read(STATE_FILE) ?? '';
  const rows: readonly (readonly [string, string])[] = [
    ['cut off', text.slice(0, -3)],
    ['empty', ''],
    ['of another witness', text.replace('witness.example', 'other.example')],
    ['of another version', text.replace('witness/1', 'witness/2')],
    ['with a log without a note', text.replace('"logs": {}', '"logs": {"log.example/a": {"seconds": "1"}}')],
    [
      'with a note under another origin',
      text.replace('"logs": {}', `"logs": {"log.example/b": ${JSON.stringify({ seconds: '1', note: '' })}}`),
    ],
  ];
  it.each(rows)('%s', (_, state) => {
    expect(() => openOn(new TestingDisk(new Map([[STATE_FILE, state]])))).toThrow('state.json is damaged');
  });
  it('missing', () => expect(() => openOn(new TestingDisk())).toThrow('state.json is missing'));
});

describe('whatever is cut off while it stores, a witness signs one history', () => {
  const cuts: AfterCut[] = [
    { isPower: false, hasNewNames: true, contents: 'newest' },
    ...[true, false].flatMap((hasNewNames) =>
      (['flushed', 'newest', 'torn'] as const).map((contents) => ({ isPower: true, hasNewNames, contents })),
    ),
  ];
  const STEPS = 4;

  /** Every note that a witness has handed out. Sizes above 9 tell the histories apart. */
  class Published {
    readonly texts = new Set<string>();
    take(text: string | null): void {
      const note = text === null ? null : readNote(text);
      if (note !== null && typeof note !== 'string') this.texts.add(note.text);
    }
    async ask(witness: Witness, of: TestingLog, before: number, size: number): Promise<number> {
      const answer = await ask(witness, of.request(before, size)).catch((error: unknown) => {
        if (error instanceof PowerCut) return { status: 0 };
        throw error;
      });
      if (answer.status === 200) this.texts.add(of.text(size));
      this.take(witness.newest(LOG_KEY.name));
      return answer.status;
    }
    /** Which histories were signed beyond the entry where they part. */
    get histories(): string[] {
      const sizeOf = (text: string): number => readCheckpoint(text)?.size ?? 0;
      const late = [...this.texts].filter((text) => sizeOf(text) > 9);
      return [...new Set(late.map((text) => (text === log.text(sizeOf(text)) ? 'log' : 'fork')))];
    }
  }

  it('has as many steps as this test cuts', async () => {
    const disk = freshDisk();
    const witness = openOn(disk);
    disk.cutAt(0, false);
    await ask(witness, log.request(0, 5));
    expect(disk.steps).toBe(STEPS);
  });

  for (const isAfter of [false, true])
    for (let step = 1; step <= STEPS; step += 1)
      it.each(cuts)(`cut ${isAfter ? 'after' : 'before'} step ${step}, %o`, async (cut) => {
        for (const isGoingOn of [false, true]) {
          const disk = freshDisk();
          const published = new Published();
          const first = openOn(disk);
          expect(await published.ask(first, log, 0, 5)).toBe(200);
          disk.cutAt(step, isAfter);
          expect(await published.ask(first, log, 5, 12)).toBe(0);
          // The disk works again while the process lives: it may sign the other history now, and then not this one.
          if (isGoingOn) await published.ask(first, fork, 5, 11);
          // What a start shows must outlive one more power cut.
          const next = disk.afterCut(cut);
          published.take(openOn(next).newest(LOG_KEY.name));
          const last = openOn(next.afterCut({ isPower: true, hasNewNames: false, contents: 'flushed' }));
          for (const before of [5, 11, 12]) {
            await published.ask(last, fork, before, 15);
            await published.ask(last, log, before, 15);
          }
          expect(published.histories).toHaveLength(1);
          expect([...published.texts].some((text) => readCheckpoint(text)?.size === 15)).toBe(true);
        }
      });

  it('is what this test would see: a witness that signs before it stores is found', async () => {
    const published = new Published();
    const disk = freshDisk();
    await published.ask(openOn(disk), log, 0, 5);
    const careless = openOn(disk.afterCut({ isPower: false, hasNewNames: true, contents: 'newest' }));
    await published.ask(careless, log, 5, 12);
    await published.ask(openOn(disk), fork, 5, 12);
    expect(published.histories).toHaveLength(2);
  });
});
