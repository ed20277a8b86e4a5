import type { OptionOrder, OptionReceipt } from '@sathorn/api';
import { parseDecimal } from '@sathorn/money';
import {
  type ChainFault,
  faultOfPublicChain,
  findTickUnlikeSeen,
  latenessOf,
  listDifferencesFromKept,
  listDifferencesFromKnown,
  type MomentFault,
  type ProofKey,
  purchaseMomentOf,
  type ReceiptCheck,
  type ReceiptCheckName,
  readOptionTerms,
  readTick,
  returnedOf,
  type SeenTick,
  type SignedOptionTerms,
  type SignedText,
  saleTextOf,
  type TermsMember,
  type TickPageFault,
  verifyOptionReceipt,
  verifyTickPage,
  withTickAfterEnd,
} from '@sathorn/proof';
import type { DeviceCheckName } from './device-checks.ts';
import type { KeptPurchase } from './kept-purchase.ts';

/** What may differ between an order on the screen and its receipt. */
export type OrderMember = TermsMember | 'start_price' | 'end_price' | 'credited';

export type DeviceFault =
  | { readonly code: 'terms_differ' | 'order_differs'; readonly members: readonly OrderMember[] }
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

/** A late price or acceptance, or the void that followed. The app shows it, and it is not a fault. */
export interface Remark {
  readonly about: ReceiptCheckName | DeviceCheckName;
  readonly kind: 'late_start' | 'late_end' | 'accepted_after' | 'had_void';
  readonly ms: number;
}

/** Shorter delays are usual. */
const REMARK_FROM_MS = 2_000;

function remarksOn(receipt: OptionReceipt, kept: KeptPurchase | null): Remark[] {
  const { start, end } = latenessOf(receipt);
  const terms = readOptionTerms(receipt.terms.body);
  const sentMs = kept?.times && purchaseMomentOf(kept.times, terms?.arrival?.atMs)?.sentMs;
  const remarks: Remark[] = [
    { about: 'start_is_first', kind: 'late_start', ms: start },
    { about: receipt.result.status === 'sold' ? 'sold_in_time' : 'end_is_last', kind: 'late_end', ms: end },
    { about: 'terms_as_bought', kind: 'accepted_after', ms: terms && sentMs ? terms.acceptedMs - sentMs : 0 },
    // Only a price that was this late allows it.
    { about: 'transfers_match', kind: 'had_void', ms: returnedOf(receipt) === null ? 0 : Math.max(start, end) },
  ];
  return remarks.filter(({ ms }) => ms >= REMARK_FROM_MS);
}

export interface JudgedReceipt {
  readonly verified: boolean;
  readonly remarks: readonly Remark[];
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

/** The terms of selling that the order on the screen names. */
function saleTermsOf({ sale }: OptionOrder): SignedOptionTerms['sale'] {
  if (!sale) return null;
  const share = (text: string): bigint => parseDecimal(text, 4) ?? 0n;
  return {
    volatilityBasisPoints: share(sale.volatility),
    bandBasisPoints: share(sale.band),
    spreadBasisPoints: share(sale.spread),
    closedMs: sale.closed_seconds * 1_000,
  };
}

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
    sale: saleTextOf(saleTermsOf(order)),
  });
}

/** Compares the prices and the payment that the screen shows with those of the receipt. */
function resultUnlike(order: OptionOrder, { ticks, result }: OptionReceipt): OrderMember[] {
  const isUnlike = (shown: string | null, tick: SignedText | null): boolean =>
    shown !== null && parseDecimal(shown, 6) !== (tick ? readTick(tick.body)?.price : undefined);
  const shown = order.sell_price === null ? null : parseDecimal(order.sell_price, 6);
  const isCredited = shown === null || String(shown) === result.credited;
  return [
    ...(isUnlike(order.start_price, ticks.start) ? (['start_price'] as const) : []),
    ...(isUnlike(order.end_price, ticks.end) ? (['end_price'] as const) : []),
    ...(isCredited ? [] : (['credited'] as const)),
  ];
}

function faultOfTermsKept(receipt: OptionReceipt, { kept, order }: DeviceMemory): DeviceFault | null {
  const { terms } = receipt;
  const unlikeKept = kept === null ? [] : listDifferencesFromKept(kept.terms.body, terms.body);
  if (unlikeKept.length > 0) return { code: 'terms_differ', members: unlikeKept };
  const unlikeOrder = order === null ? [] : [...membersUnlike(order, terms.body), ...resultUnlike(order, receipt)];
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
  return { verified: checks.every(({ ok }) => ok), checks, remarks: remarksOn(receipt, kept) };
}
