import { COINS, type CoinCode, formatDecimal, formatMoney, money, mulDiv, parseMoney, scaleOf } from '@sathorn/money';
import type { Position } from './positions-of.ts';

/** A coin that the customer holds, as the account shows it. */
export interface Holding {
  readonly amount: string;
  /** In USDT; null without a price. */
  readonly value: string | null;
}

/** Decimal texts in USDT unless noted; null where nothing can be said. */
export interface PositionView {
  readonly quantity: string;
  readonly value: string | null;
  /** The price at which the held coins were bought on average, fees included. */
  readonly average: string | null;
  /** What the bought coins are worth now, less what they cost. */
  readonly unrealised: string | null;
  /** `unrealised` as a share of the cost, with four decimals. */
  readonly share: string | null;
  readonly realised: string;
  /** A part of the coins was not bought here, so its cost is unknown. */
  readonly isPartlyUnbought: boolean;
}

const SHARE_DECIMALS = 4;
const usdt = (units: bigint): string => formatDecimal(units, scaleOf('USDT'));

/** Compares what a coin cost with what it is worth. Values are rounded down, as everywhere in the account. */
export function viewPosition(position: Position, { amount, value }: Holding): PositionView {
  const { code } = position;
  const held = parseMoney(code, amount)?.units ?? 0n;
  const worth = value === null ? undefined : parseMoney('USDT', value)?.units;
  // Coins that left otherwise, for instance by a correction, take their share of the cost along.
  const bought = position.quantity < held ? position.quantity : held;
  const cost = bought === 0n ? 0n : mulDiv(position.cost, bought, position.quantity, 'down');
  const unrealised = worth === undefined || cost === 0n ? null : mulDiv(worth, bought, held, 'down') - cost;
  return {
    quantity: formatMoney(money(code, held)),
    value,
    average: bought === 0n ? null : averageText(code, cost, bought),
    unrealised: unrealised === null ? null : usdt(unrealised),
    share: unrealised === null ? null : shareText(unrealised, cost),
    realised: usdt(position.realised),
    isPartlyUnbought: bought < held || position.soldUnbought > 0n,
  };
}

/** USDT per coin, with the decimals of the coin's prices, rounded up. */
function averageText(code: CoinCode, cost: bigint, bought: bigint): string {
  const { priceDecimals } = COINS[code];
  const finer = 10n ** BigInt(scaleOf('USDT') - priceDecimals);
  return formatDecimal(mulDiv(cost, 10n ** BigInt(scaleOf(code)), bought * finer, 'up'), priceDecimals);
}

function shareText(part: bigint, whole: bigint): string {
  const scaled = mulDiv(part < 0n ? -part : part, 10n ** BigInt(SHARE_DECIMALS), whole, 'down');
  return formatDecimal(part < 0n ? -scaled : scaled, SHARE_DECIMALS);
}

/** What all coins with a price are worth, in USDT. */
export const worthOf = (holdings: readonly Holding[]): string =>
  usdt(holdings.reduce((total, { value }) => total + signedUnits(value ?? '0'), 0n));

/** The sums over all coins, in USDT. */
export function sumPositions(views: readonly PositionView[]): Pick<PositionView, 'realised'> & { unrealised: string } {
  const sum = (texts: readonly (string | null)[]): string =>
    usdt(texts.reduce((total, text) => total + (text === null ? 0n : signedUnits(text)), 0n));
  return { unrealised: sum(views.map((view) => view.unrealised)), realised: sum(views.map((view) => view.realised)) };
}

function signedUnits(text: string): bigint {
  const units = parseMoney('USDT', text.replace('-', ''))?.units ?? 0n;
  return text.startsWith('-') ? -units : units;
}
