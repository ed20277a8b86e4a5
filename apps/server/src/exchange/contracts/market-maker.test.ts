import { randomUUID } from 'node:crypto';
import {
  COIN_CODES,
  type CoinCode,
  formatMoney,
  formatPrice,
  money,
  type Price,
  parsePrice,
  price,
} from '@sathorn/money';
import { bandPrice, CONTRACT_FEES, decideQuotes, QUOTE_TERMS } from '@sathorn/settlement';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { houseAccount, type JournalKind } from '../../ledger/index.ts';
import { ALLOW_ANY_PURPOSE_SQL, runAsOwner } from '../../platform/database/testing.ts';
import { MARKET_MAKER_OWNER } from './contract-order.ts';
import { readBookStates, readLiveOrders } from './contract-store.ts';
import { MarketMaker } from './market-maker.ts';
import { type ContractsTest, openContractsTest, type RunningContracts } from './testing-contracts.ts';

const at = (text: string): Price => parsePrice(text) as Price;
/** Converts an amount to its smallest units. */
const units = (text: string | null | undefined): bigint => BigInt((text ?? '').replace('.', ''));
const intent = () => ({ id: randomUUID(), digest: randomUUID() });

/** The simulator's initial prices. */
const INDEX = {
  BTC: '92400',
  ETH: '3180',
  BNB: '894',
  SOL: '146',
  XRP: '2.24',
  DOGE: '0.168',
  ADA: '0.462',
  TRX: '0.286',
} satisfies Record<CoinCode, string>;

let room: ContractsTest;
let contracts: RunningContracts;
let maker: MarketMaker;
/** The leases under which its matcher writes, by coin. */
let leases: ReadonlyMap<CoinCode, bigint>;
let anan = 100n;
const onTrades = (event: Parameters<MarketMaker['onTrades']>[0]): void => maker.onTrades(event);

async function openRoom(): Promise<void> {
  contracts = await room.open();
  leases = new Map((await readBookStates(room.test.database, COIN_CODES)).map(({ coin, lease }) => [coin, lease]));
}
const leaseOf = (coin: CoinCode): bigint => leases.get(coin) ?? -1n;

/** Creates a maker that has just started to match these coins. */
function newMaker(
  coins: readonly string[] = ['BTC'],
  change: Partial<ConstructorParameters<typeof MarketMaker>[0]> = {},
) {
  const ours = leases;
  return new MarketMaker({
    ledger: room.ledger,
    market: room.market,
    fees: () => CONTRACT_FEES,
    coverOf: async (_coin, now) => ({ isTestMoney: true, owed: 0n, counted: null, nowMs: now.getTime() }),
    clock: room.clock,
    bus: room.bus,
    bestOf: (coin) => contracts.bestOfCustomers(coin),
    send: (command, its) => contracts.send(command, its),
    leaseOf: (coin) => (coins.includes(coin) ? ours.get(coin) : undefined),
    onFault: (error) => room.faults.push(error),
    ...change,
  });
}

/** The live orders of the house's market maker. */
const resting = async () =>
  (await readLiveOrders(room.test.database, 'BTC')).filter(({ customer }) => customer === MARKET_MAKER_OWNER);
const shown = async (side: 'buy' | 'sell'): Promise<string[]> =>
  (await resting())
    .filter((row) => row.side === side)
    .sort((a, b) => Number(side === 'buy' ? (b.price ?? 0n) - (a.price ?? 0n) : (a.price ?? 0n) - (b.price ?? 0n)))
    .map(
      (row) =>
        `${formatPrice(price(row.price ?? 0n), 2)} ${formatMoney(money('BTC', row.quantity - row.dealtQuantity))}`,
    );

async function ask<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client(room.test.owner);
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}
const journals = async (): Promise<number> =>
  Number((await ask<{ count: string }>('SELECT count(*) FROM ledger.journal'))[0]?.count);

beforeAll(async () => {
  room = await openContractsTest();
  await openRoom();
  room.bus.on('trades', onTrades);
});
afterAll(async () => {
  expect(room.faults).toEqual([]);
  await room.close();
});
beforeEach(async () => {
  anan += 1n;
  room.clock.ms += 10_000;
  room.index.set('BTC', at('92400'));
  await room.fund(anan, 'USDT', '100000');
  await room.fund(anan, 'BTC', '10');
  maker = newMaker();
  await maker.turn();
  return async () => {
    for (const { id } of await contracts.open(anan)) await contracts.revoke(anan, id, intent());
    expect(await room.violations()).toEqual([]);
  };
});

describe('the house’s market maker', () => {
  it('quotes a ladder on both sides of the index, from its own account, with post-only orders', async () => {
    const rows = await resting();
    expect(rows).toHaveLength(22);
    for (const row of rows) {
      expect(row).toMatchObject({ customer: 0n, type: 'limit', timeInForce: 'GTC', postOnly: true, dealtQuantity: 0n });
      const limit = row.price ?? 0n;
      expect(limit >= bandPrice('BTC', 'sell', at('92400')) && limit <= bandPrice('BTC', 'buy', at('92400'))).toBe(
        true,
      );
      expect(row.side === 'buy' ? limit < at('92400') : limit > at('92400')).toBe(true);
    }
    const held = (side: 'buy' | 'sell') =>
      rows.filter((row) => row.side === side).reduce((sum, row) => sum + row.held, 0n);
    const figures = await contracts.marketMakerFigures();
    const inOrders = new Map(figures.assets.map((asset) => [asset.asset, asset.in_orders]));
    expect(inOrders.get('USDT')).toBe(formatMoney(money('USDT', held('buy'))));
    expect(inOrders.get('BTC')).toBe(formatMoney(money('BTC', held('sell'))));
  });

  it('writes nothing while nothing changes, and follows the index when it has moved enough', async () => {
    const [before, bids] = [await journals(), await shown('buy')];
    for (let n = 0; n < 20; n += 1) {
      room.clock.ms += 1_000;
      // The index moves back and forth by less than 1 bp, half of the spread.
      room.index.set('BTC', at(n % 2 === 0 ? '92409' : '92391'));
      await maker.turn();
    }
    expect([await journals(), await shown('buy')]).toEqual([before, bids]);

    room.index.set('BTC', at('92410'));
    await maker.turn();
    // No trade happens: the maker waits until the index moves further from the quotes.
    expect(await journals()).toBe(before);
    maker.onTrades({ code: 'BTC', data: [{ house: true }] });
    await maker.turn();
    expect(await journals()).toBe(before + 1);
    expect(await resting()).toHaveLength(22);
    expect((await shown('sell'))[0]).toMatch(/^92419\.\d\d /);
    // The same move again has no effect, because it comes too soon.
    room.index.set('BTC', at('92400'));
    await maker.turn();
    expect(await journals()).toBe(before + 1);
    // The index moves 4 bps at once. The next quotes keep a larger distance, until the index has been calm for 15 s.
    room.index.set('BTC', at('92370'));
    await maker.turn();
    expect(await journals()).toBe(before + 2);
    expect(await resting()).toHaveLength(16);
    expect(Number((await shown('sell'))[0]?.split(' ')[0])).toBeGreaterThan(92_370 * 1.0004);
    room.clock.ms += 14_999;
    await maker.turn();
    expect(await resting()).toHaveLength(16);
    room.clock.ms += 1;
    await maker.turn();
    expect(await resting()).toHaveLength(22);
  });

  it('trades like any customer: its trades are marked, it quotes again, its figures are public and exact', async () => {
    const before = await contracts.marketMakerFigures();
    const [ask, bid] = [(await shown('sell'))[0], (await shown('buy'))[0]];
    const bought = await contracts.order(anan, { side: 'buy', type: 'market', quantity: '0.01' });
    expect(bought).toMatchObject({ ok: true, effect: { status: 'filled', dealt_price: ask?.split(' ')[0] } });
    expect((await contracts.tape('BTC', null, 1)).items).toMatchObject([
      { side: 'buy', house: true, quantity: '0.01000000' },
    ]);
    expect((await contracts.fills(anan, null, null, 1)).items).toMatchObject([{ role: 'taker', with_house: true }]);
    // A quote was filled, but the maker replaces its quotes at most every 2.5 s.
    await maker.turn();
    expect((await shown('sell'))[0]).not.toBe(ask);
    room.clock.ms += 2_500;
    await maker.turn();
    expect(await resting()).toHaveLength(22);
    const refilled = (await shown('sell'))[0];
    expect(refilled?.split(' ')[1]).toBe(ask?.split(' ')[1]);

    const sold = await contracts.order(anan, {
      side: 'sell',
      type: 'limit',
      price: '92000',
      quantity: '0.005',
      timeInForce: 'IOC',
    });
    expect(sold).toMatchObject({ ok: true, effect: { status: 'filled' } });
    expect((await contracts.tape('BTC', null, 1)).items).toMatchObject([{ side: 'sell', house: true }]);
    expect(bid).toBeDefined();

    room.clock.ms += 2_500;
    await maker.turn();
    await vi.waitFor(() => {
      expect(contracts.book('BTC')?.asks).toHaveLength(11);
      expect(contracts.isBookStale('BTC', room.clock.now())).toBe(false);
    }, 120_000);
    const figures = await contracts.marketMakerFigures();
    const of = (name: string, figure: typeof figures) => figure.assets.find(({ asset }) => asset === name);
    if (!bought.ok || !sold.ok) throw new Error();
    // Fills change both balances. The maker pays a fee of 10 bps on what it receives, rounded up.
    const gotUsdt = units(bought.effect.dealt_amount);
    const feeUsdt = (gotUsdt + 999n) / 1_000n;
    const feeBtc = 500_000n / 1_000n;
    const usdt = units(of('USDT', figures)?.inventory) - units(of('USDT', before)?.inventory);
    const btc = units(of('BTC', figures)?.inventory) - units(of('BTC', before)?.inventory);
    expect(usdt).toBe(gotUsdt - feeUsdt - units(sold.effect.dealt_amount));
    expect(btc).toBe(-1_000_000n + 500_000n - feeBtc);
    for (const asset of ['USDT', 'BTC']) expect(of(asset, figures)?.given).toBe(of(asset, before)?.given);

    // At 92,400 USDT per coin, a unit of BTC is worth 924 units of USDT.
    expect(units(figures.profit) - units(before.profit)).toBe(usdt + btc * 924n);
    expect(units(figures.fees_paid) - units(before.fees_paid)).toBe(feeUsdt + feeBtc * 924n);
    const [btcFigures] = figures.coins;
    expect(btcFigures).toMatchObject({
      code: 'BTC',
      quoting: true,
      bid: (await shown('buy'))[0]?.split(' ')[0],
      ask: (await shown('sell'))[0]?.split(' ')[0],
      traded_24h: '0.01500000',
      house_share_24h: '1',
      origin: 'sim',
    });
    expect(
      figures.coins.slice(1).every((coin) => !coin.quoting && coin.bid === null && coin.house_share_24h === null),
    ).toBe(true);
  });

  it('states no profit while a price that it needs is missing', async () => {
    await contracts.order(anan, { side: 'buy', type: 'market', quantity: '0.01' });
    room.clock.ms += 1_000;
    expect((await contracts.marketMakerFigures()).profit).not.toBeNull();
    room.index.delete('BTC');
    room.clock.ms += 1_000;
    expect(await contracts.marketMakerFigures()).toMatchObject({ profit: null, fees_paid: null });
  });

  it('lowers its quotes for a coin of which it has too much', async () => {
    const before = [(await shown('buy'))[0], (await shown('sell'))[0]];
    for (let n = 0; n < 4; n += 1) {
      await contracts.order(anan, { side: 'sell', type: 'limit', price: '91000', quantity: '1', timeInForce: 'IOC' });
      room.clock.ms += 2_500;
      await maker.turn();
    }
    const after = [(await shown('buy'))[0], (await shown('sell'))[0]];
    const [bid, ask] = [0, 1].map((n) => ({
      was: Number(before[n]?.split(' ')[0]),
      is: Number(after[n]?.split(' ')[0]),
    }));
    expect(bid && bid.is < bid.was).toBe(true);
    expect(ask && ask.is < ask.was && ask.is > 92_400).toBe(true);
    expect(Number(after[0]?.split(' ')[1])).toBeLessThan(Number(before[0]?.split(' ')[1]));
    // Restores equal balances for the following tests.
    for (let n = 0; n < 4; n += 1) {
      await contracts.order(anan, { side: 'buy', type: 'limit', price: '94000', quantity: '1', timeInForce: 'IOC' });
      room.clock.ms += 2_500;
      await maker.turn();
    }
  });

  it('revokes all quotes when the index is stale, and quotes again when it is back', async () => {
    room.index.delete('BTC');
    room.clock.ms += 250;
    await maker.turn();
    expect(await resting()).toEqual([]);
    const before = await journals();
    await maker.turn();
    expect(await journals()).toBe(before);
    room.index.set('BTC', at('92400'));
    await maker.turn();
    expect(await resting()).toHaveLength(22);
  });

  it.each([
    ['buy', '92600'],
    ['sell', '92200'],
  ] as const)('takes a %s order that the index has passed, at the order’s own price', async (side, limit) => {
    room.index.delete('BTC');
    await maker.turn();
    await contracts.order(anan, { side, type: 'limit', price: limit, quantity: '0.05' });
    room.index.set('BTC', at('92400'));
    await maker.turn();
    expect(await contracts.open(anan)).toEqual([]);
    const [trade] = await ask<{ price: string; quantity: string; maker: string; taker: string }>(
      `SELECT price::text, quantity::text, maker_customer::text AS maker, taker_customer::text AS taker FROM contracts.trade
       WHERE coin = 'BTC' ORDER BY number DESC LIMIT 1`,
    );
    expect(trade).toEqual({ price: `${limit}000000`, quantity: '5000000', maker: String(anan), taker: '0' });
    // The maker then quotes both sides in full.
    room.clock.ms += 2_500;
    await maker.turn();
    expect(await resting()).toHaveLength(22);
  });

  it('takes no more than its quotes would have offered, and the rest a second later', async () => {
    room.index.delete('BTC');
    await maker.turn();
    await contracts.order(anan, { side: 'sell', type: 'limit', price: '92390', quantity: '5' });
    room.index.set('BTC', at('92400'));
    await maker.turn();
    const [first] = await contracts.open(anan);
    expect(Number(first?.dealt_quantity)).toBeGreaterThan(0);
    expect(Number(first?.dealt_quantity)).toBeLessThan(0.1);
    const before = await journals();
    await maker.turn();
    expect(await journals()).toBe(before);
    room.clock.ms += 1_000;
    await maker.turn();
    const [second] = await contracts.open(anan);
    expect(Number(second?.dealt_quantity)).toBeGreaterThan(Number(first?.dealt_quantity));
    await contracts.revokeAll(anan, null, intent());
  });

  it('leaves an order alone that is beyond the index by less than its quotes are', async () => {
    await maker.turn();
    await contracts.order(anan, { side: 'buy', type: 'limit', price: '92401', quantity: '0.05' });
    room.clock.ms += 1_000;
    const before = await journals();
    await maker.turn();
    expect(await journals()).toBe(before);
    expect(await contracts.open(anan)).toMatchObject([{ dealt_quantity: '0.00000000' }]);
  });

  it('places no order that arrived too late', async () => {
    const quotes = decideQuotes({
      coin: 'BTC',
      index: at('90000'),
      isFast: false,
      terms: QUOTE_TERMS.BTC,
      coins: money('BTC', 100_000_000n),
      usdt: money('USDT', 100_000_000_000n),
    });
    expect(quotes.length).toBeGreaterThan(0);
    const untilMs = room.clock.ms - 1;
    expect(
      await contracts.send({ do: 'quote', coin: 'BTC', lease: leaseOf('BTC'), quotes, untilMs }, intent()),
    ).toMatchObject({ ok: true });
    expect(await resting()).toEqual([]);
  });

  it('tries again after a second when no matcher answered', async () => {
    await contracts.send({ do: 'quote', coin: 'BTC', lease: leaseOf('BTC'), quotes: [], untilMs: 0 }, intent());
    let isThere = false;
    maker = newMaker(['BTC'], {
      send: (command, its) =>
        isThere ? contracts.send(command, its) : Promise.resolve({ ok: false, refusal: 'money_halted' }),
    });
    await maker.turn();
    isThere = true;
    await maker.turn();
    expect(await resting()).toEqual([]);
    room.clock.ms += 1_000;
    await maker.turn();
    expect(await resting()).toHaveLength(22);
  });

  it('tries again after a second when its quotes came too late to be placed', async () => {
    let delayMs = 2_001;
    maker = newMaker(['BTC'], {
      send: (command, its) => {
        room.clock.ms += delayMs;
        return contracts.send(command, its);
      },
    });
    await maker.turn();
    expect(await resting()).toEqual([]);
    delayMs = 0;
    await maker.turn();
    expect(await resting()).toHaveLength(22);
  });

  it('quotes nothing until it is given capital', async () => {
    maker = newMaker(['BTC'], { ledger: { balances: async () => [] } });
    await maker.turn();
    expect(await resting()).toEqual([]);
    const before = await journals();
    room.clock.ms += 5_000;
    await maker.turn();
    expect(await journals()).toBe(before);
  });

  it('sells at most the part of the counted reserve that exceeds what customers own', async () => {
    const counted = { units: 1_000_000_500n, asOfMs: room.clock.ms };
    let owed = 1_000_000_000n;
    maker = newMaker(['BTC'], {
      coverOf: async (_coin, now) => ({ isTestMoney: false, owed, counted, nowMs: now.getTime() }),
    });
    await maker.turn();
    // The remaining part is less than a lot: the maker buys as usual, and sells nothing.
    expect([(await shown('buy')).length, await shown('sell')]).toEqual([11, []]);
    owed = 998_000_000n;
    room.clock.ms += 2_500;
    maker.onTrades({ code: 'BTC', data: [{ house: true }] });
    await maker.turn();
    const sold = (await resting())
      .filter(({ side }) => side === 'sell')
      .reduce((sum, { quantity }) => sum + quantity, 0n);
    expect(sold).toBeGreaterThan(1_800_000n);
    expect(sold).toBeLessThanOrEqual(2_000_500n);
  });

  it('gives each coin the same part of its USDT', async () => {
    for (const [coin, index] of Object.entries(INDEX)) room.index.set(coin as CoinCode, at(index));
    maker = newMaker(COIN_CODES);
    await maker.turn();
    for (const coin of COIN_CODES) {
      const bids = (await readLiveOrders(room.test.database, coin)).filter(({ side }) => side === 'buy');
      expect([coin, bids.length]).toEqual([coin, 11]);
      const held = bids.reduce((sum, row) => sum + row.held, 0n);
      expect(held > 0n && held <= units('500000.000000'), coin).toBe(true);
    }
    for (const coin of COIN_CODES) room.index.delete(coin);
    await maker.turn();
    room.index.set('BTC', at('92400'));
    await maker.turn();
  });
});

describe('the house’s quotes end with their matcher', () => {
  it('a stop revokes all quotes; the next matcher starts again, and places no quote twice', async () => {
    expect(await resting()).toHaveLength(22);
    await vi.waitFor(() => expect(contracts.book('BTC')?.asks).toHaveLength(11), 120_000);
    await contracts.stop();
    expect(await resting()).toEqual([]);
    // The book is published even if no other process takes over.
    expect(contracts.book('BTC')).toMatchObject({ bids: [], asks: [] });
    await openRoom();
    maker = newMaker();
    await maker.turn();
    expect(await resting()).toHaveLength(22);
    await maker.turn();
    expect(await resting()).toHaveLength(22);
  });

  it('a new matcher revokes the quotes of a partitioned predecessor before it serves anybody', async () => {
    // Another process has taken the lease, so this one can no longer write and cannot revoke its quotes.
    await ask(`UPDATE contracts.book SET lease = lease + 1 WHERE coin = 'BTC'`);
    await contracts.stop();
    expect(await resting()).toHaveLength(22);
    await openRoom();
    expect(await contracts.order(anan, { side: 'buy', type: 'market', quantity: '0.01' })).toMatchObject({
      ok: false,
      refusal: 'no_liquidity',
    });
    expect(await resting()).toEqual([]);
  });

  it('later commands of a partitioned matcher are void', async () => {
    const old = maker;
    await contracts.stop();
    await openRoom();
    maker = newMaker();
    await maker.turn();
    expect(await resting()).toHaveLength(22);
    // The replaced maker has no index and assumes that its quotes are still on the book.
    room.index.delete('BTC');
    room.clock.ms += 250;
    await old.turn();
    expect(await resting()).toHaveLength(22);
    // A maker that has got this refusal sends nothing more.
    const before = await journals();
    room.clock.ms += 1_000;
    await old.turn();
    expect(await journals()).toBe(before);
    const asks = await shown('sell');
    room.index.set('BTC', at('92500'));
    await old.turn();
    expect(await shown('sell')).toEqual(asks);
  });
});

describe('the capital that the house has given it', () => {
  const move: JournalKind<bigint, null, never> = {
    name: 'test.capital',
    customer: () => null,
    accounts: () => [houseAccount('equity', 'TRX'), houseAccount('maker', 'TRX')],
    decide: (units) => {
      const [equity, own] = [houseAccount('equity', 'TRX'), houseAccount('maker', 'TRX')];
      const [debit, credit] = units > 0n ? [equity, own] : [own, equity];
      return {
        ok: true,
        effect: {
          transfers: [{ kind: 'single', debit, credit, units: units > 0n ? units : -units, code: 'pool_funded' }],
          answer: null,
        },
      };
    },
  };
  const given = async () => (await contracts.marketMakerFigures()).assets.find(({ asset }) => asset === 'TRX')?.given;

  it('is capital paid in minus capital taken back, and does not count as profit', async () => {
    expect(await given()).toBe('1750000.00000000');
    const { profit } = await contracts.marketMakerFigures();
    await runAsOwner(room.test.owner, ALLOW_ANY_PURPOSE_SQL);
    await room.ledger.post(move, 500_00000000n, intent());
    room.clock.ms += 1_000;
    expect(await given()).toBe('1750500.00000000');
    await room.ledger.post(move, -700_00000000n, intent());
    room.clock.ms += 1_000;
    expect(await given()).toBe('1749800.00000000');
    expect((await contracts.marketMakerFigures()).profit).toBe(profit);
  });
});
