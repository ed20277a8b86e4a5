import type { Fill } from '@sathorn/api';
import { type CoinCode, isCoinCode, mulDiv, parseMoney } from '@sathorn/money';

/** What a customer's trades of one coin come to. Units are the smallest of each asset; amounts are in USDT. */
export interface Position {
  readonly code: CoinCode;
  /** Bought and not sold again, after fees. */
  readonly quantity: bigint;
  /** What this quantity cost, fees included. */
  readonly cost: bigint;
  /** The result of what was sold: proceeds after fees, less what it had cost on average. */
  readonly realised: bigint;
  /** Sold and never bought here, such as coins of a promotion. It counts neither as cost nor as result. */
  readonly soldUnbought: bigint;
}

/**
 * Computes positions from all fills of a customer, newest first as the server lists them. The cost of a coin is the
 * average of what it was bought for; a sale takes its share of the cost, rounded down.
 */
export function positionsOf(fills: readonly Fill[]): ReadonlyMap<CoinCode, Position> {
  const positions = new Map<CoinCode, Position>();
  for (const fill of fills.toReversed()) {
    const { code } = fill;
    if (!isCoinCode(code)) continue;
    const none = { code, quantity: 0n, cost: 0n, realised: 0n, soldUnbought: 0n };
    positions.set(code, withFill(positions.get(code) ?? none, fill));
  }
  return positions;
}

function withFill(position: Position, { code, side, quantity, amount, fee, fee_asset }: Fill): Position {
  const units = (asset: Parameters<typeof parseMoney>[0], text: string): bigint => parseMoney(asset, text)?.units ?? 0n;
  const coins = units(position.code, quantity);
  const usdt = units('USDT', amount);
  if (side === 'buy') {
    const received = fee_asset === code ? coins - units(position.code, fee) : coins;
    return { ...position, quantity: position.quantity + received, cost: position.cost + usdt };
  }
  const proceeds = fee_asset === 'USDT' ? usdt - units('USDT', fee) : usdt;
  const isAll = coins >= position.quantity;
  const bought = isAll ? position.quantity : coins;
  const cost = position.quantity === 0n ? 0n : mulDiv(position.cost, bought, position.quantity, 'down');
  const gained = coins === 0n ? 0n : mulDiv(proceeds, bought, coins, 'down');
  return {
    ...position,
    quantity: position.quantity - bought,
    cost: position.cost - cost,
    realised: position.realised + gained - cost,
    soldUnbought: position.soldUnbought + coins - bought,
  };
}
