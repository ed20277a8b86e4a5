import { listFame, type ResultOf } from '@sathorn/api';
import { formatMoney, money } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { maskName } from '../content/index.ts';
import { cacheFor } from './cache-for.ts';
import { DAY_MS } from './day.ts';
import type { StatusDependencies } from './status.ts';

const DAYS = 7;
const SHOWN_MAX = 20;
const FRESH_MS = 60_000;
const COST_ROWS = 200;

/** The sums include all customers; only those who agreed appear by name, masked. */
async function fameOf(module: StatusDependencies, now: Date): Promise<ResultOf<typeof listFame>> {
  const from = new Date(now.getTime() - DAYS * DAY_MS);
  const { best, ...standings } = await module.standings(from.getTime());
  const names = await module.namesOfConsenting(best.map(({ customer }) => customer));
  const text = (units: bigint): string => formatMoney(money('USDT', units));
  return {
    from: from.toISOString(),
    to: now.toISOString(),
    customers: standings.customers,
    ahead: standings.ahead,
    behind: standings.behind,
    total: text(standings.total),
    median: standings.median === null ? null : text(standings.median),
    consenting: await module.countConsenting(),
    items: best
      .filter(({ customer }) => names.has(customer))
      .slice(0, SHOWN_MAX)
      .map(({ customer, orders, net }) => ({ name: maskName(names.get(customer) ?? ''), orders, net: text(net) })),
  };
}

export function listFameHandler(module: StatusDependencies): Handler {
  const read = cacheFor(FRESH_MS, (now) => fameOf(module, now));
  return handle(listFame, async ({ now }) => accept(await read(now)), { rowsOf: () => COST_ROWS });
}
