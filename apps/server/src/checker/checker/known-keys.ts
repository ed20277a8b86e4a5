import { createPublicKey, createSecretKey, type KeyObject, verify } from 'node:crypto';
import { keyIdOf, type ProofKey } from '@sathorn/proof';
import { rowSeal } from '../../platform/row-seal.ts';

/** The kind of text that a key signs. */
export type KeyUse = 'index' | 'receipt' | 'ledger' | 'authorisation';

export interface PublicKey {
  readonly use: KeyUse;
  /** 32 bytes, in hex. */
  readonly publicKeyHex: string;
}

/**
 * The keys of seals on rows, 32 bytes in hex: of contract orders, of what the watcher read on the chain, and of payouts
 * that the chain refused.
 */
export interface SealKeys {
  readonly order?: string;
  readonly watch?: string;
  readonly payout?: string;
}

/** The SPKI header that precedes the 32 bytes of an Ed25519 key. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Keys by use and id. They come from outside the database, because publishing a key there proves nothing. */
export class KnownKeys {
  readonly #keys = new Map<string, KeyObject>();
  readonly #seals: ReadonlyMap<string, KeyObject>;
  /** The same keys for the proofs' own verifiers. */
  readonly proofKeys: readonly ProofKey[];

  /** A seal whose key is absent is not verified. */
  constructor(keys: readonly PublicKey[], seals: SealKeys = {}) {
    this.#seals = new Map(Object.entries(seals).map(([use, key]) => [use, createSecretKey(key, 'hex')]));
    this.proofKeys = keys.flatMap(({ use, publicKeyHex: key }) =>
      use === 'authorisation' ? [] : [{ use, id: keyIdOf(key), public_key: key }],
    );
    for (const { use, publicKeyHex } of keys) {
      const key = Buffer.concat([SPKI_PREFIX, Buffer.from(publicKeyHex, 'hex')]);
      this.#keys.set(`${use} ${keyIdOf(publicKeyHex)}`, createPublicKey({ key, format: 'der', type: 'spki' }));
    }
  }

  /** True if the known key with this id signed the text for this use. False for an unknown key. */
  hasSigned(use: KeyUse, key: string, text: string, signatureHex: string): boolean {
    const publicKey = this.#keys.get(`${use} ${key}`);
    return publicKey !== undefined && verify(null, Buffer.from(text), publicKey, Buffer.from(signatureHex, 'hex'));
  }

  /** True if the process with this key sealed exactly this. */
  isSealed(use: keyof SealKeys, seal: string, said: string): boolean {
    const key = this.#seals.get(use);
    return key === undefined || rowSeal(key, said) === seal;
  }
}
