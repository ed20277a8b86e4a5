import { execFileSync } from 'node:child_process';
import {
  readEntryBundle,
  readLoggedEntry,
  signerKey,
  signNote,
  widthOf,
  writeCheckpoint,
  writeNote,
} from '@sathorn/transparency';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogReader } from './testing-log-reader.ts';
import { openTestPlatform, type TestPlatform } from './testing-platform.ts';

let platform: TestPlatform;
let reader: LogReader;
beforeAll(async () => {
  platform = await openTestPlatform({ PUBLIC_LOG: '1' });
  reader = new LogReader(platform.url);
});
afterAll(() => platform.close());

describe('the public log of a demonstration', () => {
  it('is cosigned by two processes of this machine, grows, and outlives its process', async () => {
    const { checkpoint, cosigned, policy } = await reader.untilAbove(0);
    expect(cosigned).toEqual(['localhost/witness-1', 'localhost/witness-2']);
    expect(policy.witnesses.map(({ url }) => url)).toEqual([null, null]);

    const width = widthOf(0, 0, checkpoint.size);
    const bundle = await reader.read({ level: 'entries', index: 0, width });
    const kinds = (bundle && readEntryBundle(bundle))?.map((bytes) => {
      const entry = readLoggedEntry(new TextDecoder().decode(bytes));
      return entry?.record?.kind ?? Object.keys(entry?.heads ?? {}).join(' ');
    });
    expect(kinds).toContain('key');
    expect(kinds).toContain('offer');
    expect(kinds?.at(-1)).toMatch(/ticks/);

    // The process is killed, and its witnesses with it; the next ones go on with the same tree.
    const children = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => /role-main\.ts log/.test(line) && Number(line.trim().split(/\s+/)[1]) === process.pid)
      .map((line) => Number(line.trim().split(/\s+/)[0]));
    expect(children).toHaveLength(1);
    for (const pid of children) process.kill(pid, 'SIGKILL');
    await reader.untilAbove(checkpoint.size + 1);
  });

  it('answers what an app has kept', async () => {
    const { note, checkpoint } = await reader.visit();
    const seen = async (text: string) => (await platform.send('POST /log/seen', { note: text })).answer.data;
    expect(await seen(note)).toEqual({ is_in_history: true });
    const other = signerKey(checkpoint.origin, 'note', new Uint8Array(32).fill(9));
    const text = writeCheckpoint({ ...checkpoint, size: checkpoint.size + 1_000 });
    expect(await seen(writeNote({ text, signatures: [signNote(text, other)] }))).toEqual({ is_in_history: null });
    expect(platform.faults).toEqual([]);
  });

  it('has no other files', async () => {
    for (const name of ['', 'key', 'tile/0/999', 'tile/0/000.p/0', 'tile/entries/000.p/257'])
      expect([name, (await reader.get(name)).status]).toEqual([name, 404]);
    const policy = await reader.get('policy');
    expect([policy.headers.get('content-type'), policy.headers.get('cache-control')]).toEqual([
      'text/plain; charset=utf-8',
      'no-store',
    ]);
  });
});
