import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ProofKey } from '@sathorn/proof';
import { afterAll, expect, it } from 'vitest';
import { judgeStatement } from './judge-statement.ts';

interface Vector {
  readonly name: string;
  readonly file: unknown;
  readonly keys: readonly ProofKey[];
  readonly verified: boolean;
  readonly fault: string | null;
}

const { files }: { files: Vector[] } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../packages/proof/vectors/statements.json'), 'utf8'),
);
const folder = mkdtempSync(path.join(tmpdir(), 'statement-'));
afterAll(() => rmSync(folder, { recursive: true }));
const named = (name: string): Vector => {
  const found = files.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no vector ${name}`);
  return found;
};

it('verifies a statement and says of each account how many entries lead to its head', async () => {
  const { file, keys } = named('honest');
  const { isVerified, lines } = await judgeStatement(JSON.stringify(file), keys);
  expect(isVerified).toBe(true);
  expect(lines).toEqual([
    '  ok    in_orders USDT: 1 entries, each follows from the one before; total 80000, held 0',
    '  ok    spot USDT: 10 entries, each follows from the one before; total 500000, held 0',
    'Verified. 11 entries lead to the heads signed at 2026-01-01T00:01:00.000Z.',
  ]);
});

it('names the first fault with account and entry', async () => {
  for (const { name, file, keys, verified, fault } of files) {
    // These vectors have keys with times, which published keys take from their records.
    if (keys.some((key) => 'from_ms' in key || 'until_ms' in key)) continue;
    const { isVerified, lines } = await judgeStatement(JSON.stringify(file), keys);
    expect(isVerified, name).toBe(verified);
    if (fault !== null) expect(lines.at(-1), name).toMatch(new RegExp(`^NOT VERIFIED: ${fault}`));
  }
  const { file, keys } = named('a total, under the honest head');
  expect((await judgeStatement(JSON.stringify(file), keys)).lines).toEqual([
    'NOT VERIFIED: total_wrong in spot USDT at entry 4',
  ]);
  expect((await judgeStatement('{"v":"statements/1","v":"statements/1"}', keys)).lines).toEqual([
    'NOT VERIFIED: this is not a statement.',
  ]);
});

it('refuses a key that contradicts a pinned one', async () => {
  const { file, keys } = named('honest');
  const pinned = keys.map((key) => ({ ...key, id: '0'.repeat(16), public_key: '0'.repeat(64) }));
  expect((await judgeStatement(JSON.stringify(file), keys, pinned)).isVerified).toBe(false);
});

it('works as a command, offline', () => {
  const { file, keys } = named('honest');
  const write = (name: string, value: unknown): string => {
    writeFileSync(path.join(folder, name), JSON.stringify(value));
    return path.join(folder, name);
  };
  const run = (value: unknown) =>
    spawnSync(
      process.execPath,
      [
        path.join(import.meta.dirname, 'main.ts'),
        '--statement',
        write('statement.json', value),
        '--keys',
        write('keys.json', { keys }),
      ],
      { encoding: 'utf8' },
    );
  expect(run(file)).toMatchObject({ status: 0, stdout: expect.stringContaining('Verified. 11 entries') });
  expect(run(named('an entry left out').file)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('NOT VERIFIED: entry_missing in spot USDT at entry 5'),
  });
});
