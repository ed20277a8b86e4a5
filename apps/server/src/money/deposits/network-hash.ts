import type { OTHER_NETWORKS } from '@sathorn/api';

export type OtherNetwork = (typeof OTHER_NETWORKS)[number];

/** Networks whose explorers write hexadecimal hashes without 0x. */
const WITHOUT_PREFIX: ReadonlySet<OtherNetwork> = new Set(['tron', 'bitcoin', 'ton']);

/**
 * Writes a hash as its network's explorer does, so that one transaction has one case. Base58 and base64 distinguish
 * letter case, so such hashes keep it.
 */
export function networkHashOf(network: OtherNetwork, hash: string): string {
  const hex = /^(?:0x)?([0-9a-f]{64})$/i.exec(hash)?.[1]?.toLowerCase();
  if (hex === undefined) return hash;
  return WITHOUT_PREFIX.has(network) ? hex : `0x${hex}`;
}
