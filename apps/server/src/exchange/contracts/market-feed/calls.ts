import { listMarketCandles, listMarkets, listMarketTickers, listMarketTrades, readMarketBook } from '@sathorn/api';
import {
  COIN_CODES,
  COINS,
  type CoinCode,
  formatDecimal,
  formatMoney,
  formatPrice,
  formatRate,
  money,
  price,
  rateFromBasisPoints,
  scaleOf,
} from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import type { Queries } from '../../../platform/database/index.ts';
import { allowOnAnyClock, type Handler, handle } from '../../../platform/edge/handle.ts';
import { candleOf } from '../../market/index.ts';
import { type DayOfTrades, readDayOfTrades } from '../candle-store.ts';
import { listTrades } from '../contract-store.ts';
import type { Contracts } from '../contracts.ts';
import { tradeViewOf } from '../fill-view.ts';
import { readTapePosition } from '../list-page.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const LEVELS_DEFAULT = 100;
const TRADES_DEFAULT = 100;
const CANDLES_DEFAULT = 300;
/** The sums over a day's candles cost the database as much as reading this many rows. */
const DAY_ROWS = 400;
/** Figures of a day are read this seldom, however many ask. */
const FRESH_FOR_MS = 5_000;

const pairOf = (coin: CoinCode) => ({ ticker_id: `${coin}_USDT`, base: coin, target: 'USDT' });
const priceText = (coin: CoinCode, units: bigint | null): string | null =>
  units === null ? null : formatPrice(price(units), COINS[coin].priceDecimals);

/** Market data as aggregators ask for it. `isSimulated` marks every answer of a demonstration. */
export function marketFeedCalls(contracts: Contracts, reads: Queries, isSimulated: boolean): Handler[] {
  const mark = isSimulated ? ({ simulated: true } as const) : {};
  let latest: { readonly atMs: number; readonly days: Promise<readonly DayOfTrades[]> } | null = null;
  const daysOf = (nowMs: number): Promise<readonly DayOfTrades[]> => {
    if (latest === null || Math.abs(nowMs - latest.atMs) >= FRESH_FOR_MS) {
      const since = new Date(Math.ceil((nowMs - DAY_MS) / MINUTE_MS) * MINUTE_MS);
      const mine = { atMs: nowMs, days: readDayOfTrades(reads, since) };
      latest = mine;
      mine.days.catch(() => {
        if (latest === mine) latest = null;
      });
    }
    return latest.days;
  };

  return allowOnAnyClock(
    handle(listMarkets, async () => {
      const { fees, of } = contracts.terms();
      const [lowest] = fees;
      const share = (bps: number | bigint | undefined): string => formatRate(rateFromBasisPoints(BigInt(bps ?? 0)));
      return accept(
        COIN_CODES.map((coin) => {
          const { amountMin, amountMax, isOffered } = of(coin);
          return {
            ...pairOf(coin),
            active: isOffered,
            price_step: formatDecimal(1n, COINS[coin].priceDecimals),
            base_step: formatDecimal(1n, COINS[coin].lotDecimals),
            target_min: formatMoney(amountMin),
            target_max: formatMoney(amountMax),
            maker_fee: share(lowest?.makerBps),
            taker_fee: share(lowest?.takerBps),
            ...mark,
          };
        }),
      );
    }),

    handle(
      listMarketTickers,
      async ({ now }) => {
        const days = new Map((await daysOf(now.getTime())).map((day) => [day.coin, day]));
        return accept(
          COIN_CODES.map((coin) => {
            const day = days.get(coin);
            const book = contracts.isBookStale(coin, now) ? null : contracts.book(coin);
            const base = (units: bigint = 0n): string => formatMoney(money(coin, units));
            return {
              ...pairOf(coin),
              base_currency: coin,
              target_currency: 'USDT',
              last_price: priceText(coin, day?.last ?? null),
              bid: book?.bids[0]?.[0] ?? null,
              ask: book?.asks[0]?.[0] ?? null,
              high: priceText(coin, day?.high ?? null),
              low: priceText(coin, day?.low ?? null),
              base_volume: base(day?.volume),
              target_volume: formatMoney(money('USDT', (day?.turnover ?? 0n) / 10n ** BigInt(scaleOf(coin)))),
              house_base_volume: base(day?.houseVolume),
              timestamp: now.getTime(),
              ...mark,
            };
          }),
        );
      },
      { rowsOf: () => DAY_ROWS },
    ),

    handle(readMarketBook, async ({ request: { ticker_id: coin, depth = LEVELS_DEFAULT }, now }) => {
      const book = contracts.isBookStale(coin, now) ? null : contracts.book(coin);
      const levels = Math.floor(depth / 2);
      return accept({
        ticker_id: pairOf(coin).ticker_id,
        timestamp: book === null ? now.getTime() : Date.parse(book.at),
        bids: book?.bids.slice(0, levels) ?? [],
        asks: book?.asks.slice(0, levels) ?? [],
        ...mark,
      });
    }),

    handle(
      listMarketTrades,
      async ({ request: { ticker_id: coin, type, house, limit = TRADES_DEFAULT } }) => {
        const rows = await listTrades(reads, coin, readTapePosition(null, limit), limit);
        const shown = rows.flatMap((row) => {
          const { price: each, quantity, side, house: isHouse } = tradeViewOf(row);
          if (isHouse && house === '0') return [];
          const trade = {
            trade_id: String(row.number),
            price: each,
            base_volume: quantity,
            target_volume: formatMoney(money('USDT', row.amount)),
            trade_timestamp: Number(row.atMs),
            type: side,
            house: isHouse,
            ...mark,
          };
          return [trade];
        });
        const of = (side: 'buy' | 'sell') =>
          type === undefined || type === side ? shown.filter((trade) => trade.type === side) : [];
        return accept({ buy: of('buy'), sell: of('sell') });
      },
      { rowsOf: ({ limit = TRADES_DEFAULT }) => limit },
    ),

    handle(
      listMarketCandles,
      async ({ request: { ticker_id: coin, interval, end, limit = CANDLES_DEFAULT }, now }) => {
        const bars = await contracts.tradeBars(coin, interval, new Date(end ?? now.getTime() + 1), limit);
        const candles = bars.map((bar) => {
          const [at, open, high, low, close, volume] = candleOf(coin, bar);
          return [at, open, high, low, close, volume] as [number, string, string, string, string, string];
        });
        return accept({ ticker_id: pairOf(coin).ticker_id, interval, candles, ...mark });
      },
      { rowsOf: ({ limit = CANDLES_DEFAULT }) => limit },
    ),
  );
}
