import type { ResultOf, readMarketMaker } from '@sathorn/api';
import {
  type AssetCode,
  COIN_CODES,
  COINS,
  type CoinCode,
  formatMoney,
  formatPrice,
  formatRate,
  money,
  mulDiv,
  type Price,
  price,
  RATE_ONE,
  type Rate,
  scaleOf,
} from '@sathorn/money';
import type { Ledger } from '../../ledger/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import { readBestQuotes, readHouseTrades } from './candle-store.ts';
import type { ContractIndex } from './contract-kind.ts';
import { MARKET_MAKER_ASSETS, readMarketMakerCapital } from './market-maker-capital.ts';
import { readMarketMakerHoldings } from './market-maker-holdings.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** How long figures are cached, however many clients request them. */
const FRESH_FOR_MS = 1_000;

export type MarketMakerFigures = ResultOf<typeof readMarketMaker>;

interface MarketMakerFiguresDependencies {
  readonly database: Database;
  readonly ledger: Pick<Ledger, 'balances' | 'statement'>;
  readonly market: ContractIndex;
  readonly clock: Clock;
  /** True if no process matches the coin, or its matcher cannot be reached. */
  readonly isBookStale: (coin: CoinCode, now: Date) => boolean;
}

/** The public figures of the house's market maker, cached for a second. */
export function openMarketMakerFigures(
  dependencies: MarketMakerFiguresDependencies,
): () => Promise<MarketMakerFigures> {
  let latest: { readonly atMs: number; readonly figures: Promise<MarketMakerFigures> } | null = null;
  return () => {
    const now = dependencies.clock.now();
    const ageMs = latest === null ? FRESH_FOR_MS : Math.abs(now.getTime() - latest.atMs);
    if (latest === null || ageMs >= FRESH_FOR_MS) {
      const figures = readFigures(dependencies, now);
      const mine = { atMs: now.getTime(), figures };
      latest = mine;
      figures.catch(() => {
        if (latest === mine) latest = null;
      });
    }
    return latest.figures;
  };
}

async function readFigures(
  { database, ledger, market, isBookStale }: MarketMakerFiguresDependencies,
  now: Date,
): Promise<MarketMakerFigures> {
  const since = new Date(Math.ceil((now.getTime() - DAY_MS) / MINUTE_MS) * MINUTE_MS);
  const [given, { all, inOrders }, trades, quotes] = await Promise.all([
    readMarketMakerCapital(ledger),
    readMarketMakerHoldings(ledger),
    readHouseTrades(database, since),
    readBestQuotes(database),
  ]);
  const of = (units: ReadonlyMap<AssetCode, bigint>, asset: AssetCode): bigint => units.get(asset) ?? 0n;
  const priceOf = (asset: AssetCode): Price | null => {
    if (asset === 'USDT') return price(10n ** BigInt(scaleOf('USDT')));
    const coin = asset as CoinCode;
    return market.isStale(coin, now) ? null : market.lastPrice(coin);
  };
  const fees = new Map<AssetCode, bigint>([['USDT', 0n]]);
  for (const { coin, feesUsdt, feesCoin } of trades) {
    fees.set('USDT', of(fees, 'USDT') + feesUsdt);
    fees.set(coin, feesCoin);
  }
  const gained = new Map(MARKET_MAKER_ASSETS.map((asset) => [asset, of(all, asset) - of(given, asset)]));

  return {
    profit: worthOf(gained, priceOf),
    fees_paid: worthOf(fees, priceOf),
    assets: MARKET_MAKER_ASSETS.map((asset) => ({
      asset,
      given: formatMoney(money(asset, of(given, asset))),
      inventory: formatMoney(money(asset, of(all, asset))),
      in_orders: formatMoney(money(asset, of(inOrders, asset))),
    })),
    coins: COIN_CODES.map((coin) => {
      const quoted = isBookStale(coin, now) ? undefined : quotes.get(coin);
      const traded = trades.find((each) => each.coin === coin);
      return {
        code: coin,
        quoting: quoted !== undefined,
        bid: priceText(coin, quoted?.bid),
        ask: priceText(coin, quoted?.ask),
        traded_24h: formatMoney(money(coin, traded?.traded ?? 0n)),
        house_share_24h:
          traded && traded.traded > 0n
            ? formatRate(mulDiv(traded.houseTraded, RATE_ONE, traded.traded, 'down') as Rate)
            : null,
        origin: market.environment,
      };
    }),
  };
}

const priceText = (coin: CoinCode, units: bigint | null | undefined): string | null =>
  units === null || units === undefined ? null : formatPrice(price(units), COINS[coin].priceDecimals);

/** The value in USDT, exact until the final rounding down; null if a required price is missing. */
function worthOf(units: ReadonlyMap<AssetCode, bigint>, priceOf: (asset: AssetCode) => Price | null): string | null {
  const exactScale = 10n ** BigInt(Math.max(...[...units.keys()].map(scaleOf)));
  let exact = 0n;
  for (const [asset, count] of units) {
    if (count === 0n) continue;
    const each = priceOf(asset);
    if (each === null) return null;
    exact += count * each * (exactScale / 10n ** BigInt(scaleOf(asset)));
  }
  const isWhole = exact % exactScale === 0n;
  return formatMoney(money('USDT', exact / exactScale - (exact < 0n && !isWhole ? 1n : 0n)));
}
