import { listCandles } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type CallContext, type Handler, handle } from '../../platform/edge/handle.ts';
import { INTERVAL_MS } from './candle.ts';
import type { Market, ReadBars } from './market.ts';
import { candleOf } from './market-view.ts';

const LIMIT_DEFAULT = 300;
/** Late ticks may still change a bar that ended less than this long ago. */
const SETTLED_AFTER_MS = 600_000;

/** Candles of the index, or of the trades on the book. */
export function listCandlesHandler(market: Pick<Market, 'bars'>, tradeBars: ReadBars): Handler {
  const read = async ({ request, now }: CallContext<typeof listCandles>) => {
    const readBars = request.of === 'trades' ? tradeBars : market.bars;
    const limit = request.limit ?? LIMIT_DEFAULT;
    const before = request.before ?? pageTime(request.page) ?? now.getTime() + 1;
    const bars = await readBars(request.code, request.interval, new Date(before), limit + 1);
    const page = bars.slice(-limit);
    const oldest = page[0];
    return accept({
      items: page.map((bar) => candleOf(request.code, bar)),
      next: bars.length > limit && oldest ? String(oldest.at) : null,
    });
  };
  return handle(listCandles, read, {
    rowsOf: ({ limit }) => limit ?? LIMIT_DEFAULT,
    // A full page of bars that ended long ago never changes.
    isImmutable: ({ before, page, interval }, { next }, now) => {
      const end = before ?? pageTime(page);
      return next !== null && end !== undefined && end + INTERVAL_MS[interval] + SETTLED_AFTER_MS < now.getTime();
    },
  });
}

/** `next` is the start of the oldest candle in the answer; passed as `page` it requests the candles before it. */
function pageTime(page: string | undefined): number | undefined {
  return page && /^[0-9]{1,15}$/.test(page) ? Number(page) : undefined;
}
