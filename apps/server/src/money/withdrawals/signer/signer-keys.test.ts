import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSignerKeys } from './signer-keys.ts';
import { assertHasWallet, WALLET_FILE } from './wallet-file.ts';

let folder: string;
const file = (name: string): string => path.join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'signer-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('creates the key once, and writes the wallet’s address beside it', () => {
  const { hot } = readSignerKeys(folder, true);
  expect(readSignerKeys(folder, true).hot).toBe(hot);
  expect(JSON.parse(readFileSync(file(WALLET_FILE), 'utf8'))).toEqual({ hot });
});

it.each([
  ['its address is known', (hot: string) => JSON.stringify({ hot })],
  ['a restore found deposit addresses', () => '{"hot":null}'],
])('creates no other key if %s', (_what, kept) => {
  const { hot } = readSignerKeys(folder, true);
  rmSync(file('keys.json'));
  writeFileSync(file(WALLET_FILE), kept(hot));
  expect(() => readSignerKeys(folder, true)).toThrow(/has no key here: put .*keys\.json back/);
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

it.each(['', '{', 'null'])('names the damaged file: %j', (content) => {
  readSignerKeys(folder, true);
  const whole = readFileSync(file('keys.json'), 'utf8');
  for (const name of ['keys.json', WALLET_FILE]) {
    writeFileSync(file(name), content);
    expect(() => readSignerKeys(folder, true)).toThrow(`${file(name)} is damaged`);
    writeFileSync(file('keys.json'), whole);
  }
});

describe('a database that knows a wallet', () => {
  const known = (...addresses: string[]) => ({
    wallets: addresses.map((address) => ({ chain: 'testnet', address })),
    hasAddresses: true,
  });

  it('is not opened without its key, or with another one, and the refusal names wallet and file', () => {
    const wallet = `0x${'1'.repeat(40)}`;
    expect(() => assertHasWallet(folder, known(wallet), null)).toThrow(
      `the wallet ${wallet} has no key here: put ${file('keys.json')} back`,
    );
    expect(() => assertHasWallet(folder, known(), null)).toThrow('has no key here');
    const { hot } = readSignerKeys(folder, true);
    expect(() => assertHasWallet(folder, known(wallet), hot)).toThrow(
      `${file('keys.json')} is the key of ${hot}, but the house's wallet is ${wallet}`,
    );
    expect(() => assertHasWallet(folder, known(hot), hot)).not.toThrow();
  });

  it('is opened with a new key if the owner writes down that the old one is lost for good', () => {
    const { hot: lost } = readSignerKeys(folder, true);
    rmSync(file('keys.json'));
    writeFileSync(file(WALLET_FILE), JSON.stringify({ hot: null, replaces: lost }));
    expect(() => assertHasWallet(folder, known(lost), null)).not.toThrow();
    const { hot } = readSignerKeys(folder, true);
    expect(hot).not.toBe(lost);
    expect(() => assertHasWallet(folder, known(lost), hot)).not.toThrow();
    expect(readSignerKeys(folder, true).hot).toBe(hot);
    // Once the new wallet is the newest, the note allows no third one.
    expect(() => assertHasWallet(folder, known(hot, lost), null)).toThrow(`the wallet ${hot} has no key here`);
  });
});
