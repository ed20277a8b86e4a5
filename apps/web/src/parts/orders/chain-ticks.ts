import { COINS, type CoinCode, formatPrice, price } from '@sathorn/money';
import { readTick } from '@sathorn/proof';
import { readTickPage } from '../evidence/read-tick-page.ts';

/** A tick of the public chain, with its price as a decimal string. */
export interface ChainedTick {
  readonly sequence: bigint;
  readonly at: number;
  readonly price: string;
}

/** Reads a part of the public chain, oldest first; undefined if it cannot be loaded. */
export async function readChainTicks(code: CoinCode, from: bigint, limit: number): Promise<ChainedTick[] | undefined> {
  const page = await readTickPage(code, String(from), limit);
  const decimals = COINS[code].indexDecimals;
  return page?.items.flatMap(({ body }) => {
    const tick = readTick(body);
    return tick ? [{ sequence: tick.sequence, at: tick.at, price: formatPrice(price(tick.price), decimals) }] : [];
  });
}
