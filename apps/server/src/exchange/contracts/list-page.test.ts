import { type Price, parsePrice } from '@sathorn/money';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ContractsTest, openContractsTest, type RunningContracts } from './testing-contracts.ts';

const [ANAN, MALI] = [1n, 2n];
const ALL = { status: 'all', coin: null, side: null } as const;

interface Page {
  readonly items: readonly { readonly id: string }[];
  readonly next: string | null;
}

/** Collects the pages in order, following `next`. */
async function walk(read: (page: string | null) => Promise<Page>): Promise<string[][]> {
  const pages: string[][] = [];
  for (let page: string | null = null, n = 0; n < 20; n += 1) {
    const { items, next } = await read(page);
    pages.push(items.map(({ id }) => id));
    if (next === null) return pages;
    page = next;
  }
  throw new Error('it does not end');
}

describe('lists of contracts', () => {
  let room: ContractsTest;
  let contracts: RunningContracts;

  beforeAll(async () => {
    room = await openContractsTest();
    contracts = await room.open();
    for (const coin of ['BTC', 'ETH'] as const) {
      room.index.set(coin, parsePrice('100') as Price);
      await room.fund(ANAN, coin, '10');
    }
    for (const customer of [ANAN, MALI]) await room.fund(customer, 'USDT', '100000');
    // Three orders per millisecond on two books; every other order is a buy.
    for (let n = 0; n < 50; n += 1) {
      if (n % 3 === 0) room.clock.ms += 1;
      const limit = { coin: n % 2 === 0 ? 'BTC' : 'ETH', type: 'limit', price: '100', quantity: '0.02' } as const;
      expect(await contracts.order(ANAN, { ...limit, side: 'sell' })).toMatchObject({ ok: true });
      if (n % 4 < 2) expect(await contracts.order(MALI, { ...limit, side: 'buy' })).toMatchObject({ ok: true });
    }
  });
  afterAll(async () => {
    expect(room.faults).toEqual([]);
    await room.close();
  });

  const lists: [string, (page: string | null) => Promise<Page>, number, number][] = [
    ['of all orders', (page) => contracts.list(ANAN, { ...ALL, page }), 20, 50],
    ['of open orders', (page) => contracts.list(ANAN, { ...ALL, status: 'open', page }), 20, 24],
    [
      'of the history of a coin',
      (page) => contracts.list(MALI, { ...ALL, status: 'history', coin: 'BTC', page }),
      20,
      13,
    ],
    ['of fills', (page) => contracts.fills(MALI, null, page, 7), 7, 26],
    ['of fills of who rested', (page) => contracts.fills(ANAN, null, page, 7), 7, 26],
    ['of the tape', (page) => contracts.tape('ETH', page, 5), 5, 13],
  ];
  it.each(lists)('%s: each once, by `next` as by the number of a page', async (_name, read, size, count) => {
    const pages = await walk(read);
    expect(pages.map(({ length }) => length)).toEqual(
      Array.from({ length: Math.ceil(count / size) }, (_, n) => Math.min(size, count - n * size)),
    );
    expect(new Set(pages.flat()).size).toBe(count);
    for (const [n, shown] of [...pages, []].entries()) {
      const { items } = await read(String(n + 1));
      expect(items.map(({ id }) => id)).toEqual(shown);
    }
    // A page far beyond the end is empty and not the first page again.
    for (const far of ['1000', '10000000', '9'.repeat(128)]) expect(await read(far)).toEqual({ items: [], next: null });
    for (const nothing of ['0', '-1', 'BTC', '1764558000123-BTC', "'"])
      expect((await read(nothing)).items.map(({ id }) => id)).toEqual(pages[0]);
  });

  it('of the fills of an order: the newest are sent with it, the rest on further pages', async () => {
    room.index.set('SOL', parsePrice('100') as Price);
    await room.fund(ANAN, 'SOL', '100');
    const limit = { coin: 'SOL', type: 'limit', price: '100', quantity: '0.1' } as const;
    const sale = await contracts.order(ANAN, { ...limit, side: 'sell', quantity: '30' });
    if (!sale.ok) throw new Error(sale.refusal);
    const { id } = sale.effect;
    await contracts.order(ANAN, { ...limit, side: 'sell' });
    for (let n = 0; n < 220; n += 1) {
      if (n % 50 === 0) room.clock.ms += 1;
      expect(await contracts.order(MALI, { ...limit, side: 'buy' })).toMatchObject({ ok: true });
    }
    const read = await contracts.read(ANAN, id);
    if (!read.ok) throw new Error(read.refusal);
    const { fills, fills_next } = read.effect;
    expect(fills).toHaveLength(100);
    const pages = await walk(async (page) => {
      const answer = await contracts.fillsOf(ANAN, id, page ?? fills_next, 50);
      if (!answer.ok) throw new Error(answer.refusal);
      return answer.effect;
    });
    expect(pages.map(({ length }) => length)).toEqual([50, 50, 20]);
    const all = (await contracts.fills(ANAN, 'SOL', null, 500)).items;
    expect([...fills.map((fill) => fill.id), ...pages.flat()]).toEqual(all.map((fill) => fill.id));
    expect(await contracts.fillsOf(ANAN, id, null, 500)).toMatchObject({
      ok: true,
      effect: { items: all, next: null },
    });
    expect(await contracts.fillsOf(MALI, id, null, 500)).toMatchObject({ ok: false, refusal: 'order_unknown' });
    // Each of the taker's orders has one fill, which is also in the maker's list.
    const [taken] = await contracts.fills(MALI, 'SOL', null, 1).then(({ items }) => items);
    const its = await contracts.read(MALI, taken?.order ?? '');
    expect(its).toMatchObject({ ok: true, effect: { fills: [{ id: all[0]?.id }], fills_next: null } });
  });
});
