import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { refuseWallet } from '@sathorn/settlement';
import type { HouseWallets } from '../../chain/index.ts';

/** The address of the house's wallet, without its key. It is in every backup, and stops a start without the key. */
export const WALLET_FILE = 'wallet.json';
const KEY_FILE = 'keys.json';

interface KeptWallet {
  /** Null if a restore found that a wallet existed, but not which one. */
  readonly hot: string | null;
  /** The owner writes this: the wallet whose key is lost for good, which a new one may replace. */
  readonly replaces?: string;
}

export const keyFileOf = (folder: string): string => path.join(folder, KEY_FILE);

export function readKeptWallet(folder: string): KeptWallet | null {
  const file = path.join(folder, WALLET_FILE);
  if (!existsSync(file)) return null;
  let kept: KeptWallet | null = null;
  try {
    kept = JSON.parse(readFileSync(file, 'utf8')) as KeptWallet | null;
  } catch {
    // The error below explains it.
  }
  if (kept === null || typeof kept !== 'object')
    throw new Error(`${file} is damaged: put it back from a backup. It has the address of the house's wallet`);
  return kept;
}

/** True if the folder has a key file; does not open it. */
export const hasKeyFile = (folder: string): boolean => existsSync(keyFileOf(folder));

export const keyMissingMessage = (folder: string, wallet: string | null): string =>
  `the wallet ${wallet ?? 'of the house'} has no key here: put ${keyFileOf(folder)} back (npm run backup -- … --secrets keeps it as signer-keys.json). ` +
  `${lostForGood(folder, wallet)}`;

export const foreignKeyMessage = (folder: string, own: string, wallet: string | null): string =>
  `${keyFileOf(folder)} is the key of ${own}, but the house's wallet is ${wallet}: put its key back. ${lostForGood(folder, wallet)}`;

const lostForGood = (folder: string, wallet: string | null): string =>
  "No other key is made or used, because customers' money is at that wallet. " +
  `Only if its key is lost for good: write {"hot":null,"replaces":"${wallet ?? '0x…'}"} into ${path.join(folder, WALLET_FILE)}`;

/** Throws unless the key belongs to the wallet that this folder, or the backup behind it, has used before. */
export function assertSameWallet(folder: string, hot: string): void {
  const kept = readKeptWallet(folder);
  const before = kept?.hot ?? null;
  if (before !== null && before !== hot) throw new Error(foreignKeyMessage(folder, hot, before));
  if (before === null)
    writeFileSync(path.join(folder, WALLET_FILE), `${JSON.stringify({ ...kept, hot })}\n`, { mode: 0o600 });
}

/** Throws if this key, or the lack of one, does not fit a database that knows these wallets. */
export function assertHasWallet(folder: string, { wallets, hasAddresses }: HouseWallets, own: string | null): void {
  const known = wallets.map(({ address }) => address);
  const replaces = readKeptWallet(folder)?.replaces ?? null;
  const refusal = refuseWallet({ known, hasAddresses, own, replaces });
  if (refusal === 'key_missing') throw new Error(keyMissingMessage(folder, known[0] ?? null));
  if (refusal === 'key_of_another') throw new Error(foreignKeyMessage(folder, String(own), known[0] ?? null));
}

/** The wallet of the folder's key; null without a key. Never creates one. */
export async function readWalletOfKey(folder: string): Promise<string | null> {
  if (!hasKeyFile(folder)) return null;
  const { privateKeyToAddress } = await import('viem/accounts');
  try {
    const { hotKey } = JSON.parse(readFileSync(keyFileOf(folder), 'utf8')) as { hotKey: string };
    return privateKeyToAddress(`0x${hotKey}`).toLowerCase();
  } catch {
    throw new Error(`${keyFileOf(folder)} is damaged: put the backup of it back`);
  }
}
