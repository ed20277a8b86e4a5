import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { HDKey } from '@scure/bip32';
import { privateKeyToAddress } from 'viem/accounts';
import { assertSameWallet, keyFileOf, keyMissingMessage, readKeptWallet } from './wallet-file.ts';

export interface SignerKeys {
  /** Signs payouts. It never leaves the signer's process. */
  readonly hotKey: `0x${string}`;
  /** The hot wallet's address in lower case. */
  readonly hot: string;
  /** On a local chain, the public key from which deposit addresses are derived. Null if the owner configures one. */
  readonly xpub: string | null;
  /** Returns the key of a deposit address by its index; null if only the owner has these keys. */
  readonly depositKey: ((index: number) => `0x${string}`) | null;
}

interface Kept {
  readonly hotKey: string;
  readonly depositSeed?: string;
  /** The operator of a live deployment puts it here: the extended private key whose public half is CHAIN_XPUB. */
  readonly depositXprv?: string;
}

const KEY = /^[0-9a-f]{64}$/;
/** The first account's path in every wallet (BIP-44). */
const ACCOUNT = "m/44'/60'/0'";
/** The branch of receiving addresses: m/44'/60'/0'/0/index. */
const RECEIVING = 0;

const accountOf = ({ depositSeed, depositXprv }: Kept): HDKey | null => {
  if (depositSeed) return HDKey.fromMasterSeed(Buffer.from(depositSeed, 'hex')).derive(ACCOUNT);
  return depositXprv ? HDKey.fromExtendedKey(depositXprv) : null;
};

/** Derives the keys of deposit addresses, each when something is sent from its address. */
export const depositKeysOf = (account: HDKey) => {
  const receiving = account.deriveChild(RECEIVING);
  return (index: number): `0x${string}` => {
    const { privateKey } = receiving.deriveChild(index);
    if (privateKey === null) throw new Error('the keys of deposit addresses have no private half');
    return `0x${Buffer.from(privateKey).toString('hex')}`;
  };
};

function readKept(file: string): Kept {
  let kept: Kept | null = null;
  try {
    kept = JSON.parse(readFileSync(file, 'utf8')) as Kept | null;
  } catch {
    // The error below explains it.
  }
  const isKey = (key: unknown): boolean => typeof key === 'string' && KEY.test(key);
  if (kept === null || !isKey(kept.hotKey) || (kept.depositSeed !== undefined && !isKey(kept.depositSeed)))
    throw new Error(`${file} is damaged: put the backup of it back`);
  return kept;
}

/**
 * Reads the signer's own key file, or creates it atomically on the first start. A lost key is lost money, so a damaged
 * file stops the start and is never replaced, and no key is created if a wallet was used before.
 */
export function readSignerKeys(folder: string, isLocal: boolean): SignerKeys {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = keyFileOf(folder);
  if (!existsSync(file)) {
    const kept = readKeptWallet(folder);
    if (kept !== null && !kept.replaces) throw new Error(keyMissingMessage(folder, kept.hot));
    const fresh: Kept = {
      hotKey: randomBytes(32).toString('hex'),
      ...(isLocal && { depositSeed: randomBytes(32).toString('hex') }),
    };
    const beside = `${file}.${process.pid}`;
    const handle = openSync(beside, 'wx', 0o600);
    try {
      writeFileSync(handle, `${JSON.stringify(fresh, null, 2)}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    try {
      linkSync(beside, file);
    } catch (error) {
      if (!existsSync(file)) throw error;
    } finally {
      rmSync(beside, { force: true });
    }
  }
  chmodSync(file, 0o600);
  const kept = readKept(file);
  const account = accountOf(kept);
  const hotKey = `0x${kept.hotKey}` as const;
  const hot = privateKeyToAddress(hotKey).toLowerCase();
  assertSameWallet(folder, hot);
  return {
    hotKey,
    hot,
    xpub: account?.publicExtendedKey ?? null,
    depositKey: account && depositKeysOf(account),
  };
}
