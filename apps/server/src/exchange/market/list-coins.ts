import { type CoinQuote, listCoins } from '@sathorn/api';
import { COINS, type CoinCode, formatDecimal, formatPrice, price } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Market, ReadOptionTerms } from './market.ts';
import { formatChange, formatVolume } from './market-view.ts';

export function listCoinsHandler(
  market: Market,
  { optionTerms, contracts }: { readonly optionTerms: ReadOptionTerms; readonly contracts: boolean },
): Handler {
  return handle(listCoins, async () =>
    accept(
      market.coins().map((coin) => {
        const payouts = [...new Set(optionTerms(coin).map(({ payout }) => payout))].sort();
        return { ...coinQuote(market, coin), options: payouts.length > 0, payouts, contracts };
      }),
    ),
  );
}

function coinQuote(market: Market, coin: CoinCode): Omit<CoinQuote, 'options' | 'payouts' | 'contracts'> {
  const { code, name, priceDecimals, indexDecimals, lotDecimals } = COINS[coin];
  const { last, figures, stale } = market.quote(coin);
  const text = (units: bigint): string => formatPrice(price(units), indexDecimals);
  const lot = formatDecimal(1n, lotDecimals);
  return {
    code,
    name,
    icon: `/coins/${code.toLowerCase()}.svg`,
    price: last && text(last.price),
    change_24h: figures && formatChange(figures.changePpm),
    high: figures && text(figures.high),
    low: figures && text(figures.low),
    volume: figures && formatVolume(figures.volume),
    spark: figures ? figures.spark.map(text) : [],
    tick: formatDecimal(1n, priceDecimals),
    lot,
    min: lot,
    stale,
    origin: market.environment,
    sequence: last && String(last.sequence),
    at: last?.at.toISOString() ?? null,
  };
}
