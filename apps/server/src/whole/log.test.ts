import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import {
  consistencyFromTiles,
  judgeCheckpoint,
  type ReadTile,
  readEntryBundle,
  readLoggedEntry,
  readWitnessPolicy,
  signerKey,
  signNote,
  tilePath,
  widthOf,
  writeCheckpoint,
  writeNote,
} from '@sathorn/transparency';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPlatform, type TestPlatform } from './testing-platform.ts';

const PATIENCE_MS = 60_000;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform({ PUBLIC_LOG: '1' });
});
afterAll(() => platform.close());

const get = (name: string): Promise<Response> => fetch(`${platform.url}/log/${name}`);

async function until(condition: () => Promise<boolean>): Promise<void> {
  const began = performance.now();
  while (!(await condition())) {
    if (performance.now() - began > PATIENCE_MS) throw new Error('it did not happen');
    await pause(200);
  }
}

const read: ReadTile = async (place) => {
  const response = await get(tilePath(place));
  return response.status === 200 ? new Uint8Array(await response.arrayBuffer()) : undefined;
};

async function visit(previous: { origin: string; size: number; root: Uint8Array<ArrayBuffer> } | null) {
  const policy = readWitnessPolicy(await (await get('policy')).text());
  if ('fault' in policy) throw new Error(policy.fault);
  const note = await (await get('checkpoint')).text();
  const size = Number(note.split('\n')[1]);
  const proof = previous && (await consistencyFromTiles(previous.size, size, read));
  const found = await judgeCheckpoint({ note, policy, previous, proof });
  if (!found.isAccepted) throw new Error(found.refusal);
  return { ...found, note, policy };
}

describe('the public log of a demonstration', () => {
  it('is cosigned by two processes of this machine, grows, and outlives its process', async () => {
    await until(async () => (await get('checkpoint')).status === 200);
    const first = await visit(null);
    expect(first.cosigned.map(({ witness }) => witness)).toEqual(['localhost/witness-1', 'localhost/witness-2']);
    expect(first.policy.witnesses.map(({ url }) => url)).toEqual([null, null]);

    const bundle = await read({
      level: 'entries',
      index: 0,
      width: widthOf(0, 0, first.checkpoint.size),
    });
    const kinds = (bundle && readEntryBundle(bundle))?.map((bytes) => {
      const entry = readLoggedEntry(new TextDecoder().decode(bytes));
      return entry?.record?.kind ?? Object.keys(entry?.heads ?? {}).join(' ');
    });
    expect(kinds).toContain('key');
    expect(kinds).toContain('offer');
    expect(kinds?.at(-1)).toMatch(/ticks/);

    // The process and its witnesses are killed; the next ones go on with the same tree.
    const children = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => /role-main\.ts log/.test(line) && Number(line.trim().split(/\s+/)[1]) === process.pid)
      .map((line) => Number(line.trim().split(/\s+/)[0]));
    expect(children).toHaveLength(1);
    for (const pid of children) process.kill(pid, 'SIGKILL');
    await until(async () => (await visit(first.checkpoint)).checkpoint.size > first.checkpoint.size + 1);
  });

  it('answers what an app has kept', async () => {
    const { note, checkpoint } = await visit(null);
    const seen = async (text: string) => (await platform.send('POST /log/seen', { note: text })).answer.data;
    expect(await seen(note)).toEqual({ is_in_history: true });
    const other = signerKey(checkpoint.origin, 'note', new Uint8Array(32).fill(9));
    const text = writeCheckpoint({ ...checkpoint, size: checkpoint.size + 1_000 });
    expect(await seen(writeNote({ text, signatures: [signNote(text, other)] }))).toEqual({ is_in_history: null });
    expect(platform.faults).toEqual([]);
  });

  it('has no other files', async () => {
    for (const name of ['', 'key', 'tile/0/999', 'tile/0/000.p/0', 'tile/entries/000.p/257'])
      expect([name, (await get(name)).status]).toEqual([name, 404]);
    const policy = await get('policy');
    expect([policy.headers.get('content-type'), policy.headers.get('cache-control')]).toEqual([
      'text/plain; charset=utf-8',
      'no-store',
    ]);
  });
});
