import { listOptions, type OptionOrder } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { findLostPurchase, type LostPurchase } from './find-lost-purchase.ts';

const LOOK_EVERY_MS = 2_000;
/**
 * After this time, a request that has reached the server must be visible as an order. It is later than the latest
 * acceptance that the app allows, with a margin for clocks.
 */
const ABSENT_AFTER_MS = 8_000;

/** Looks for a lost purchase's order until it is found or cannot exist. Returns a function that stops it. */
export function searchLostPurchase(
  lost: LostPurchase,
  { onFound, onAbsent }: { onFound: (order: OptionOrder) => void; onAbsent: () => void },
): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout>;
  const since = Date.now();
  const look = async () => {
    const askedAt = Date.now();
    const orders = await readOrders(lost.code);
    if (isOver) return;
    const found = orders && findLostPurchase(lost, orders);
    if (found) onFound(found);
    else if (orders && askedAt - since >= ABSENT_AFTER_MS) onAbsent();
    else timer = setTimeout(look, LOOK_EVERY_MS);
  };
  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Returns open orders and the newest past ones; undefined if they could not be read. */
async function readOrders(code: LostPurchase['code']): Promise<OptionOrder[] | undefined> {
  const [open, ended] = await Promise.all([
    callServer(listOptions, { status: 'holding', code }),
    callServer(listOptions, { status: 'history', code }),
  ]);
  return open.ok && ended.ok ? [...open.data.items, ...ended.data.items] : undefined;
}
