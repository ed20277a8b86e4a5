import type { placePair, placeWaiting, RequestOf } from '@sathorn/api';
import { type CoinCode, formatMoney, formatPrice, type Money, type Price, parsePrice } from '@sathorn/money';
import { capOf, decideWaiting, readPair, readWaitingTicket, waitingHold } from '@sathorn/settlement';

export const WAITING_KINDS = ['stop', 'take_profit', 'pair'] as const;

/** The customer's input so far; amounts are canonical decimals, or '' when empty. */
export interface WaitingDraft {
  readonly kind: (typeof WAITING_KINDS)[number];
  readonly side: 'buy' | 'sell';
  readonly type: 'limit' | 'market';
  readonly triggerPrice: string;
  /** The limit of the order, or of a pair's stop. */
  readonly price: string;
  /** The price at which a pair takes profit. */
  readonly takePrice: string;
  readonly quantity: string;
}

export const NEW_WAITING: WaitingDraft = {
  kind: 'stop',
  side: 'sell',
  type: 'market',
  triggerPrice: '',
  price: '',
  takePrice: '',
  quantity: '',
};

export interface WaitingReview {
  /** The most that is held; null while the input is incomplete. */
  readonly held: { readonly amount: string; readonly asset: string } | null;
  /** The highest price of a market buy; null for others. */
  readonly cap: string | null;
  readonly isComplete: boolean;
  /** True if the index is at the trigger price already. */
  readonly isReached: boolean;
}

/** What the input would hold, by the rule with which the server decides. */
export function reviewWaiting(
  draft: WaitingDraft,
  code: CoinCode,
  index: string | null,
  decimals: number,
): WaitingReview {
  const triggerPrice = parsePrice(draft.triggerPrice);
  const none: WaitingReview = { held: null, cap: null, isComplete: false, isReached: false };
  if (triggerPrice === undefined || triggerPrice <= 0n) return none;
  const { side, type, quantity } = draft;
  const price = type === 'limit' ? parsePrice(draft.price) : undefined;
  const take = parsePrice(draft.takePrice);
  const isPair = draft.kind === 'pair';
  const read = isPair
    ? readPair({ coin: code, side, quantity, price: take ?? (0n as Price), triggerPrice, stopPrice: price })
    : readWaitingTicket({
        coin: code,
        side,
        type,
        quantity: quantity === '' ? undefined : quantity,
        price,
        trigger: draft.kind === 'take_profit' ? 'take_profit' : 'stop',
        triggerPrice,
      });
  if (!read.ok) return none;
  const ticket = 'stop' in read.effect ? read.effect.stop : read.effect;
  const cap = capOf(ticket);
  const now = index === null ? undefined : parsePrice(index);
  const decision = decideWaiting({ ticket, index: now ?? null, waitingOrders: 0, available: 2n ** 62n });
  const held = heldOf(
    'stop' in read.effect ? [waitingHold(ticket), holdOfLimit(read.effect.limit)] : [waitingHold(ticket)],
  );
  return {
    held: { amount: formatMoney(held), asset: held.asset },
    cap: cap === null ? null : formatPrice(cap, decimals),
    isComplete: type === 'market' || price !== undefined,
    isReached: !decision.ok && decision.refusal === 'stop_would_trigger',
  };
}

const heldOf = (holds: readonly Money[]): Money =>
  holds.reduce((most, each) => (each.units > most.units ? each : most));

function holdOfLimit(limit: Parameters<typeof waitingHold>[0]['order'] & { type: 'limit' }): Money {
  const { coin, side, price } = limit;
  return waitingHold({ coin, side, trigger: 'take_profit', triggerPrice: price, order: limit });
}

export function waitingRequestOf(code: string, draft: WaitingDraft): RequestOf<typeof placeWaiting> {
  const { side, type, triggerPrice, price, quantity } = draft;
  const trigger = draft.kind === 'take_profit' ? 'take_profit' : 'stop';
  const request = { code, side, trigger, trigger_price: triggerPrice, type, quantity } as const;
  return type === 'limit' ? { ...request, price } : request;
}

export function pairRequestOf(code: string, draft: WaitingDraft): RequestOf<typeof placePair> {
  const { side, type, triggerPrice, price, takePrice, quantity } = draft;
  const request = { code, side, quantity, price: takePrice, trigger_price: triggerPrice };
  return type === 'limit' ? { ...request, stop_price: price } : request;
}
