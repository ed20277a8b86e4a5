import type { WaitingOrder } from '@sathorn/api';
import {
  type AssetCode,
  COINS,
  type CoinCode,
  formatMoney,
  formatPrice,
  formatRate,
  type Money,
  money,
  type Price,
  rateFromBasisPoints,
} from '@sathorn/money';
import { capOf, type TriggerKind, triggersAbove, type WaitingTicket } from '@sathorn/settlement';
import { orderIdOf } from './contract-order.ts';

/** How a waiting order ended, or that it still waits. */
export type WaitingState = 'waiting' | 'triggered' | 'refused' | 'revoked' | 'amended' | 'paired';

/** A waiting order in the form of its row. Prices, quantities and amounts are in smallest units. */
export interface WaitingRow {
  readonly coin: CoinCode;
  /** A number of the coin's book, assigned at acceptance. */
  readonly sequence: number;
  readonly customer: bigint;
  readonly journal: string;
  readonly side: 'buy' | 'sell';
  readonly trigger: TriggerKind;
  readonly triggerPrice: Price;
  readonly type: 'limit' | 'market';
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
  readonly postOnly: boolean;
  readonly price: Price | null;
  readonly quantity: bigint | null;
  readonly amount: bigint | null;
  readonly makerBps: number;
  readonly takerBps: number;
  readonly acceptedMs: number;
  /** Only later ticks trigger it. */
  readonly armedMs: number;
  readonly replaces: number | null;
  readonly pair: number | null;
  held: bigint;
  state: WaitingState;
  refusal: string | null;
  tick: bigint | null;
  tickMs: number | null;
  tickPrice: Price | null;
  /** The order that it became. */
  order: number | null;
  updatedMs: number;
}

/** The ticket as it was accepted. */
export function waitingTicketOf(row: WaitingRow): WaitingTicket {
  const { coin, side, trigger, triggerPrice, timeInForce, postOnly } = row;
  if (row.type === 'limit')
    return {
      coin,
      side,
      trigger,
      triggerPrice,
      order: {
        coin,
        side,
        type: 'limit',
        price: row.price as Price,
        quantity: money(coin, row.quantity ?? 0n),
        timeInForce,
        postOnly,
      },
    };
  const size: Money<CoinCode> | Money<'USDT'> =
    row.amount === null ? money(coin, row.quantity ?? 0n) : money('USDT', row.amount);
  const order = { coin, side, type: 'market', timeInForce: timeInForce === 'FOK' ? 'FOK' : 'IOC', size } as const;
  return { coin, side, trigger, triggerPrice, order };
}

const rateOfBps = (bps: number): string => formatRate(rateFromBasisPoints(BigInt(bps)));

const STATUSES: Record<WaitingState, WaitingOrder['status']> = {
  waiting: 'waiting',
  triggered: 'triggered',
  refused: 'refused',
  revoked: 'cancelled',
  amended: 'cancelled',
  paired: 'cancelled',
};

/** A waiting order in the app's format. */
export function waitingOrderOf(row: WaitingRow): WaitingOrder {
  const { coin, side, state } = row;
  const { priceDecimals, indexDecimals } = COINS[coin];
  const priceText = (value: Price | null): string | null => value && formatPrice(value, priceDecimals);
  const idOf = (sequence: number | null): string | null => (sequence === null ? null : orderIdOf({ coin, sequence }));
  const paid: AssetCode = side === 'buy' ? 'USDT' : coin;
  return {
    id: orderIdOf(row),
    code: coin,
    side,
    trigger: row.trigger,
    trigger_price: formatPrice(row.triggerPrice, priceDecimals),
    trigger_when: triggersAbove(row) ? 'above' : 'below',
    type: row.type,
    tif: row.timeInForce,
    post_only: row.postOnly,
    price: priceText(row.price),
    cap: priceText(capOf(waitingTicketOf(row))),
    quantity: row.quantity === null ? null : formatMoney(money(coin, row.quantity)),
    amount: row.amount === null ? null : formatMoney(money('USDT', row.amount)),
    maker_fee_rate: rateOfBps(row.makerBps),
    taker_fee_rate: rateOfBps(row.takerBps),
    held: formatMoney(money(paid, row.held)),
    held_asset: paid,
    status: STATUSES[state],
    reason: state === 'revoked' || state === 'amended' || state === 'paired' ? state : null,
    refusal: row.refusal,
    tick:
      row.tick === null || row.tickMs === null || row.tickPrice === null
        ? null
        : {
            sequence: String(row.tick),
            at: new Date(row.tickMs).toISOString(),
            price: formatPrice(row.tickPrice, indexDecimals),
          },
    order: idOf(row.order),
    replaces: idOf(row.replaces),
    pair: idOf(row.pair),
    armed_at: new Date(row.armedMs).toISOString(),
    created_at: new Date(row.acceptedMs).toISOString(),
    updated_at: new Date(row.updatedMs).toISOString(),
  };
}
