import type { OptionReceipt } from '@sathorn/api';
import { readTick, verifyOptionReceipt } from '@sathorn/proof';
import type { OptionEvidence } from '../../exchange/options/index.ts';
import { type StoredKey, trustStoredKeys } from '../../platform/proofs/index.ts';
import type { TradeFinding } from './case-store.ts';

export interface OptionReplay {
  readonly finding: TradeFinding;
  /** Null if a stored tick is not validly signed. */
  readonly computed: { readonly status: string; readonly profit: string } | null;
  readonly checks: readonly { readonly code: string; readonly ok: boolean; readonly value?: string }[];
  /** The source prices in the tick that ended the option. */
  readonly sources: readonly { readonly name: string; readonly price: bigint }[];
}

/**
 * Recomputes an option from its signed terms and the stored ticks alone. It verifies the receipt as the customer's app
 * does and computes the settlement again. No reviewer can change the finding.
 */
export async function replayOption(
  { order, receipt, recomputed }: Pick<OptionEvidence, 'order' | 'receipt' | 'recomputed'>,
  keys: readonly StoredKey[],
): Promise<OptionReplay> {
  const { verified, checks } = await verifyOptionReceipt(receipt, await trustStoredKeys(keys));
  const isSame = recomputed?.status === order.status && recomputed.profit === order.profit;
  const finding =
    !verified || !isSame ? 'fault_confirmed' : order.status === 'void' ? 'void_by_rule' : 'recomputed_same';
  return {
    finding,
    computed: recomputed,
    checks: [
      ...checks.map(({ name, ok, fault }) => ({ code: name, ok, ...(fault !== null && { value: fault }) })),
      { code: 'stored_ticks_signed', ok: recomputed !== null },
      { code: 'recomputed', ok: isSame },
    ],
    sources: sourcesOf(receipt),
  };
}

function sourcesOf({ ticks }: OptionReceipt): OptionReplay['sources'] {
  const tick = ticks.end && readTick(ticks.end.body);
  return tick ? tick.used.map(({ name, price }) => ({ name, price })) : [];
}
