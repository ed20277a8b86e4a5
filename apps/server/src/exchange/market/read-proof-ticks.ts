import { readProofTicks } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type CallContext, type Handler, handle } from '../../platform/edge/handle.ts';
import type { Market } from './market.ts';

const LIMIT_DEFAULT = 100;
/** Pages below this size may contain recent ticks, because clients request short pages to read the head. */
const SEALED_ROWS_MIN = 100;
/** A tick is a signed text of up to a kilobyte, so it costs as much as several rows. */
const ROWS_OF_TICK = 3;

export function readProofTicksHandler(market: Market): Handler {
  const read = async ({ request }: CallContext<typeof readProofTicks>) => {
    const { code, from, limit = LIMIT_DEFAULT } = request;
    const ticks = await market.ticksFrom(code, BigInt(from), limit);
    const head = market.lastTick(code);
    const last = ticks.at(-1);
    const isImmutable =
      limit >= SEALED_ROWS_MIN && ticks.length >= limit && head && last && last.sequence < head.sequence;
    return accept({
      items: ticks.map(({ text }) => text),
      // This page is cached for ever, so it must not contain the current head.
      head: head && !isImmutable ? { sequence: String(head.sequence), hash: head.text.hash } : null,
    });
  };
  return handle(readProofTicks, read, {
    rowsOf: ({ limit }) => (limit ?? LIMIT_DEFAULT) * ROWS_OF_TICK,
    isImmutable: (_request, { items, head }) => items.length > 0 && head === null,
  });
}
