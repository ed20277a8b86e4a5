import { readProofTicks } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/handle.ts';
import type { Market } from './open-market.ts';

const LIMIT_DEFAULT = 100;

export function readProofTicksHandler(market: Market): Handler {
  return handle(readProofTicks, async ({ request: { code, from, limit } }) => {
    const ticks = await market.ticksFrom(code, BigInt(from), limit ?? LIMIT_DEFAULT);
    const head = market.lastTick(code);
    return accept({
      items: ticks.map(({ text }) => text),
      head: head && { sequence: String(head.sequence), hash: head.text.hash },
    });
  });
}
