import { listCandles } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/handle.ts';
import { candleOf } from './market-view.ts';
import type { Market } from './open-market.ts';

const LIMIT_DEFAULT = 300;

export function listCandlesHandler(market: Market): Handler {
  return handle(listCandles, async ({ request, now }) => {
    // Nothing is traded on a book yet, so there are no candles of trades, and none are made up.
    if (request.of === 'trades') return accept({ items: [], next: null });
    const limit = request.limit ?? LIMIT_DEFAULT;
    const before = request.before ?? pageTime(request.page) ?? now.getTime() + 1;
    const bars = await market.bars(request.code, request.interval, new Date(before), limit + 1);
    const page = bars.slice(-limit);
    const oldest = page[0];
    return accept({
      items: page.map((bar) => candleOf(request.code, bar)),
      next: bars.length > limit && oldest ? String(oldest.at) : null,
    });
  });
}

/** `next` is the start of the oldest candle given; passed back as `page` it asks for what is before it. */
function pageTime(page: string | undefined): number | undefined {
  return page && /^[0-9]{1,15}$/.test(page) ? Number(page) : undefined;
}
