import type { OptionOrder, OptionReceipt } from '@sathorn/api';
import { parseDecimal } from '@sathorn/money';
import {
  type ChainFault,
  faultOfPublicChain,
  findTickUnlikeSeen,
  listDifferencesFromKept,
  listDifferencesFromKnown,
  type MomentFault,
  type ProofKey,
  type ReceiptCheck,
  type SeenTick,
  type SignedText,
  type TermsMember,
  type TickPageFault,
  verifyOptionReceipt,
  verifyTickPage,
  withTickAfterEnd,
} from '@sathorn/proof';
import type { DeviceCheckName } from './device-checks.ts';
import type { KeptPurchase } from './kept-purchase.ts';

export type DeviceFault =
  | { readonly code: 'terms_differ' | 'order_differs'; readonly members: readonly TermsMember[] }
  | { readonly code: 'tick_unlike_seen'; readonly sequence: string }
  | { readonly code: ChainFault | TickPageFault };

/** A check against what this device stored or showed; absent if there is nothing to compare with. */
interface DeviceCheck {
  readonly name: DeviceCheckName;
  readonly ok: boolean;
  readonly fault: DeviceFault | null;
  readonly isPending: boolean;
  /** A suspicious time that the device noticed at the purchase. */
  readonly moment: MomentFault | null;
}

export interface JudgedReceipt {
  readonly verified: boolean;
  readonly checks: readonly (ReceiptCheck | DeviceCheck)[];
}

export interface DeviceMemory {
  readonly keys: readonly ProofKey[];
  /** Hash of the rules text that this device has read; null if none. */
  readonly rulesHash: string | null;
  readonly newestTickMs: number | null;
  /** The order shown on the same screen as the receipt; null if there is none. */
  readonly order: OptionOrder | null;
  readonly kept: KeptPurchase | null;
  readonly seen: readonly SeenTick[];
  /** The public chain over the receipt's time span; null if it could not be loaded. */
  readonly publicTicks: readonly SignedText[] | null;
}

const basisPoints = (share: string): string | null => parseDecimal(share, 4)?.toString() ?? null;

function membersUnlike(order: OptionOrder, body: string): TermsMember[] {
  return listDifferencesFromKnown(body, {
    order: order.id,
    coin: order.name,
    direction: order.direction,
    stake: parseDecimal(order.quantity, 6)?.toString() ?? null,
    payout: basisPoints(order.payout),
    fee: basisPoints(order.fee_rate),
    duration: String(order.duration * 1_000),
    acceptance: String(Date.parse(order.start_time)),
    environment: order.origin,
  });
}

function faultOfTermsKept({ terms }: OptionReceipt, { kept, order }: DeviceMemory): DeviceFault | null {
  const unlikeKept = kept === null ? [] : listDifferencesFromKept(kept.terms.body, terms.body);
  if (unlikeKept.length > 0) return { code: 'terms_differ', members: unlikeKept };
  const unlikeOrder = order === null ? [] : membersUnlike(order, terms.body);
  return unlikeOrder.length > 0 ? { code: 'order_differs', members: unlikeOrder } : null;
}

/** Judges a receipt by itself, against what this device has sent and stored, and against the public chain. */
export async function judgeReceipt(given: OptionReceipt, memory: DeviceMemory): Promise<JudgedReceipt> {
  const { keys, rulesHash, newestTickMs, kept, order, seen, publicTicks } = memory;
  // The chain may now contain the tick that was missing from the receipt.
  const receipt = publicTicks === null ? given : withTickAfterEnd(given, publicTicks);
  const verdict = await verifyOptionReceipt(receipt, keys, {
    ...(rulesHash !== null && { rulesHash }),
    ...(newestTickMs !== null && { newestTickMs }),
  });
  const checks: (ReceiptCheck | DeviceCheck)[] = [...verdict.checks];
  const add = (name: DeviceCheckName, fault: DeviceFault | null, moment: MomentFault | null = null): void =>
    void checks.push({ name, ok: fault === null, fault, isPending: false, moment });

  if (kept !== null || order !== null)
    add('terms_as_bought', faultOfTermsKept(receipt, memory), kept?.findings?.moment ?? null);
  const unlike = findTickUnlikeSeen(receipt, seen);
  if (seen.length > 0)
    add('ticks_as_seen', unlike === null ? null : { code: 'tick_unlike_seen', sequence: String(unlike) });
  if (publicTicks !== null) {
    const fault = (await verifyTickPage(publicTicks, keys))?.fault ?? faultOfPublicChain(receipt, publicTicks);
    add('chain_public', fault && { code: fault });
  } else {
    // The chain could not be loaded, so this check stays pending.
    checks.push({ name: 'chain_public', ok: true, fault: null, isPending: true, moment: null });
  }
  return { verified: checks.every(({ ok }) => ok), checks };
}
