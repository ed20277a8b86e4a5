import { readBook } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Contracts } from './contracts.ts';

const DEPTH_DEFAULT = 20;

export function readBookHandler(contracts: Contracts): Handler {
  return handle(readBook, async ({ request: { code, depth = DEPTH_DEFAULT }, now }) => {
    const known = contracts.book(code);
    const book = known ?? { code, bids: [], asks: [], sequence: '0', at: now.toISOString() };
    return accept({
      ...book,
      bids: book.bids.slice(0, depth),
      asks: book.asks.slice(0, depth),
      stale: contracts.isBookStale(code, now),
    });
  });
}
