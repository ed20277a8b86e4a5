/**
 * The public randomness of drand's chain "quicknet" (League of Entropy): a round every three seconds, signed by a
 * threshold of independent operators, so that nobody can know or choose a round in advance.
 * https://docs.drand.love/docs/specification
 */
import { fromHex, sha256, toHex } from './hash.ts';

export interface BeaconChain {
  readonly hash: string;
  /** 96 bytes of G2, hex. */
  readonly publicKey: string;
  readonly genesisMs: number;
  readonly periodMs: number;
}

export const BEACONS: Readonly<Record<string, BeaconChain>> = {
  quicknet: {
    hash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
    publicKey:
      '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
    genesisMs: 1_692_803_367_000,
    periodMs: 3_000,
  },
};

/** The time at which a round is published, in ms since 1970. Rounds count from 1. */
export function roundTimeMs({ genesisMs, periodMs }: BeaconChain, round: number): number {
  return genesisMs + (round - 1) * periodMs;
}

/** The first round published at this moment or later. */
export function firstRoundFrom({ genesisMs, periodMs }: BeaconChain, ms: number): number {
  return 1 + Math.max(0, Math.ceil((ms - genesisMs) / periodMs));
}

/**
 * A round's randomness (hex); undefined if the signature is not the chain's. The scheme is `bls-unchained-g1-rfc9380`:
 * a signature in G1 over SHA-256 of the round as eight bytes.
 */
export async function readBeacon(chain: BeaconChain, round: number, signature: string): Promise<string | undefined> {
  const [bytes, key] = [fromHex(signature, 48), fromHex(chain.publicKey, 96)];
  if (bytes === undefined || key === undefined || !Number.isSafeInteger(round) || round < 1) return undefined;
  // Loaded late, because only boxes with a beacon need it.
  const { bls12_381: curve } = await import('@noble/curves/bls12-381.js');
  const message = new Uint8Array(8);
  new DataView(message.buffer).setBigUint64(0, BigInt(round));
  const { shortSignatures } = curve;
  try {
    const point = shortSignatures.hash(sha256(message), 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_');
    return shortSignatures.verify(bytes, point, key) ? toHex(sha256(bytes)) : undefined;
  } catch {
    return undefined;
  }
}
