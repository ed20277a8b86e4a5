import type { OptionReceipt } from '@sathorn/api';
import { type ProofKey, readTick, trustKeys, verifyOptionReceipt } from '@sathorn/proof';
import type { OptionEvidence } from '../options/index.ts';
import type { StoredKey } from '../proofs/index.ts';
import type { Finding } from './dispute-store.ts';

export interface Replay {
  readonly finding: Finding;
  readonly status: string;
  readonly profit: string;
  readonly checks: readonly { readonly code: string; readonly ok: boolean; readonly value?: string }[];
  /** Of the tick at the end. */
  readonly sources: readonly { readonly name: string; readonly price: bigint }[];
}

/**
 * What happened, from the signed terms and the kept ticks alone: the receipt is verified as the customer's own phone
 * does it, and the settlement is computed again. No reviewer has a say in it.
 */
export async function replayOption(
  { order, receipt, recomputed }: Pick<OptionEvidence, 'order' | 'receipt' | 'recomputed'>,
  keys: readonly StoredKey[],
): Promise<Replay> {
  const published = keys.map(({ use, id, publicKeyHex, record }) => ({ use, id, public_key: publicKeyHex, record }));
  const { trusted } = await trustKeys(published, firstOf(keys));
  const { verified, checks } = await verifyOptionReceipt(receipt, trusted);
  const isSame = recomputed.status === order.status && recomputed.profit === order.profit;
  const finding =
    !verified || !isSame ? 'fault_confirmed' : order.status === 'void' ? 'void_by_rule' : 'recomputed_same';
  return {
    finding,
    ...recomputed,
    checks: [
      ...checks.map(({ name, ok, fault }) => ({ code: name, ok, ...(fault !== null && { value: fault }) })),
      { code: 'recomputed', ok: isSame },
    ],
    sources: sourcesOf(receipt),
  };
}

/** A later key counts only where the one before it has signed it. */
function firstOf(keys: readonly StoredKey[]): ProofKey[] {
  return keys
    .filter(({ record }) => record === null)
    .map(({ use, id, publicKeyHex }) => ({ use, id, public_key: publicKeyHex }));
}

function sourcesOf({ ticks }: OptionReceipt): Replay['sources'] {
  const tick = ticks.end && readTick(ticks.end.body);
  return tick ? tick.used.map(({ name, price }) => ({ name, price })) : [];
}
