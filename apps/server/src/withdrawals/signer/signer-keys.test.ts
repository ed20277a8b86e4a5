import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSignerKeys, WALLET_FILE } from './signer-keys.ts';

let folder: string;
const file = (name: string): string => path.join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'signer-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('makes the key once, and writes the wallet’s address beside it', () => {
  const { hot } = readSignerKeys(folder, true);
  expect(readSignerKeys(folder, true).hot).toBe(hot);
  expect(JSON.parse(readFileSync(file(WALLET_FILE), 'utf8'))).toEqual({ hot });
});

it.each([
  ['its address is known', (hot: string) => JSON.stringify({ hot })],
  ['a restore found deposit addresses', () => '{"hot":null}'],
])('makes no other key where %s', (_what, kept) => {
  const { hot } = readSignerKeys(folder, true);
  rmSync(file('keys.json'));
  writeFileSync(file(WALLET_FILE), kept(hot));
  expect(() => readSignerKeys(folder, true)).toThrow('No new key is made');
  expect(existsSync(file('keys.json'))).toBe(false);
});

it('refuses the key of another wallet', () => {
  const { hot } = readSignerKeys(folder, true);
  rmSync(file(WALLET_FILE));
  rmSync(file('keys.json'));
  readSignerKeys(folder, true);
  writeFileSync(file(WALLET_FILE), JSON.stringify({ hot }));
  expect(() => readSignerKeys(folder, true)).toThrow(`the house's wallet is ${hot}`);
});
