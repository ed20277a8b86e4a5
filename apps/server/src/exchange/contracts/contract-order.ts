import type { ContractOrder, WaitingOrder } from '@sathorn/api';
import {
  type AssetCode,
  COINS,
  type CoinCode,
  formatMoney,
  formatPrice,
  formatRate,
  isCoinCode,
  money,
  type Price,
  rateFromBasisPoints,
} from '@sathorn/money';
import { averagePrice } from '@sathorn/settlement';

/** An order in the form of its row. Prices, quantities and amounts are in smallest units. */
export interface ContractRow {
  readonly coin: CoinCode;
  /** The order's number on the coin's book, assigned at acceptance. */
  readonly sequence: number;
  readonly customer: bigint;
  readonly journal: string;
  readonly side: 'buy' | 'sell';
  readonly type: 'limit' | 'market';
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
  readonly postOnly: boolean;
  readonly price: Price | null;
  readonly quantity: bigint;
  readonly amount: bigint | null;
  readonly makerBps: number;
  readonly takerBps: number;
  readonly acceptedMs: number;
  /** The order whose place this one took, at another price. */
  readonly replaces: number | null;
  /** The waiting order that it was before a tick triggered it. */
  readonly waiting: number | null;
  /** The regular purchase in whose name it was placed, with the execution's number and local day. */
  readonly recurring: string | null;
  readonly recurringNumber: number | null;
  readonly recurringDay: number | null;
  /** The part of the quantity that the owner took back. */
  cut: bigint;
  dealtQuantity: bigint;
  dealtAmount: bigint;
  /** The sum of price × quantity in smallest units of both, without rounding. */
  dealtValue: bigint;
  fee: bigint;
  held: bigint;
  isLive: boolean;
  reason: 'revoked' | 'self_trade' | 'unfilled' | 'amended' | 'paired' | null;
  updatedMs: number;
}

/** The market maker's customer number, which no real customer has. */
export const MARKET_MAKER_OWNER = 0n;

export const orderIdOf = ({ coin, sequence }: Pick<ContractRow, 'coin' | 'sequence'>): string => `${coin}-${sequence}`;

/** Parses an id such as `BTC-17`; null if it is invalid. */
export function readOrderId(id: string): { coin: CoinCode; sequence: number } | null {
  const [, coin = '', sequence = ''] = /^([A-Z]{2,10})-([1-9][0-9]{0,14})$/.exec(id) ?? [];
  return isCoinCode(coin) ? { coin, sequence: Number(sequence) } : null;
}

/** The part that may still trade. */
export const openQuantityOf = ({ quantity, cut, dealtQuantity }: ContractRow): bigint => quantity - cut - dealtQuantity;

export function orderStatusOf({ isLive, dealtQuantity, quantity, cut }: ContractRow): ContractOrder['status'] {
  if (isLive) return dealtQuantity === 0n ? 'open' : 'partial';
  return dealtQuantity === quantity - cut ? 'filled' : 'cancelled';
}

const rateOfBps = (bps: number): string => formatRate(rateFromBasisPoints(BigInt(bps)));

/** An order in the app's format. */
export function contractOrderOf(row: ContractRow): ContractOrder {
  const { coin, side } = row;
  const { priceDecimals } = COINS[coin];
  const priceText = (value: Price | null): string | null => value && formatPrice(value, priceDecimals);
  const [received, paid]: [AssetCode, AssetCode] = side === 'buy' ? [coin, 'USDT'] : ['USDT', coin];
  return {
    id: orderIdOf(row),
    code: coin,
    side,
    type: row.type,
    tif: row.timeInForce,
    post_only: row.postOnly,
    price: priceText(row.price),
    quantity: formatMoney(money(coin, row.quantity)),
    amount: row.amount === null ? null : formatMoney(money('USDT', row.amount)),
    cut_quantity: formatMoney(money(coin, row.cut)),
    dealt_quantity: formatMoney(money(coin, row.dealtQuantity)),
    dealt_amount: formatMoney(money('USDT', row.dealtAmount)),
    dealt_price: priceText(averagePrice(coin, row.dealtValue, row.dealtQuantity)),
    fee: formatMoney(money(received, row.fee)),
    fee_asset: received,
    maker_fee_rate: rateOfBps(row.makerBps),
    taker_fee_rate: rateOfBps(row.takerBps),
    held: formatMoney(money(paid, row.held)),
    held_asset: paid,
    status: orderStatusOf(row),
    reason: row.reason,
    replaces: row.replaces === null ? null : orderIdOf({ coin, sequence: row.replaces }),
    waiting: row.waiting === null ? null : orderIdOf({ coin, sequence: row.waiting }),
    recurring: row.recurring,
    created_at: new Date(row.acceptedMs).toISOString(),
    updated_at: new Date(row.updatedMs).toISOString(),
  };
}

export type ContractCommandResult =
  | ContractOrder
  | WaitingOrder
  | { readonly waiting: WaitingOrder; readonly order: ContractOrder | null }
  | { readonly revoked: readonly string[] }
  | { readonly quoted: number };
