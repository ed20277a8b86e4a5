import type { OTHER_NETWORKS } from '@sathorn/api';

export type OtherNetwork = (typeof OTHER_NETWORKS)[number];

/** Explorers of these write hexadecimal hashes without 0x. */
const WITHOUT_PREFIX: ReadonlySet<OtherNetwork> = new Set(['tron', 'bitcoin', 'ton']);

/**
 * A hash as its network's explorer writes it, so that one transaction has one case. Base58 and base64 distinguish
 * letter case, so those are kept.
 */
export function networkHashOf(network: OtherNetwork, hash: string): string {
  const hex = /^(?:0x)?([0-9a-f]{64})$/i.exec(hash)?.[1]?.toLowerCase();
  if (hex === undefined) return hash;
  return WITHOUT_PREFIX.has(network) ? hex : `0x${hex}`;
}
