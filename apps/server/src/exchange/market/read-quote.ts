import { readQuote } from '@sathorn/api';
import { COINS, formatDecimal, formatPrice, PRICE_SCALE } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Market, ReadOptionTerms } from './market.ts';

export function readQuoteHandler(market: Market, optionTerms: ReadOptionTerms): Handler {
  return handle(readQuote, async ({ request: { code } }) => {
    const { last, stale, sources } = market.quote(code);
    return accept({
      code,
      price: last && formatPrice(last.price, COINS[code].indexDecimals),
      at: last?.at.toISOString() ?? null,
      sequence: last && String(last.sequence),
      stale,
      origin: market.environment,
      sources: sources.flatMap(({ name, price, at, used }) =>
        price === null || at === null
          ? []
          : { name, price: formatDecimal(price, PRICE_SCALE), at: at.toISOString(), used },
      ),
      durations: [...optionTerms(code)],
    });
  });
}
