import { type AssetCode, formatDecimal, type Money, money, type Price } from '@sathorn/money';
import { contractHold, decideAmend, isDue, readPair, readWaitingTicket, waitingHold } from '@sathorn/settlement';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountKey, Transfer } from '../../ledger/index.ts';
import { type BookChanges, bookHashOfRows, CoinBook, payingAccountOf, type TradeRow } from './coin-book.ts';
import { type ContractRow, MARKET_MAKER_OWNER } from './contract-order.ts';
import type { WaitingRow } from './waiting-order.ts';

const COIN = 'BTC';
const TRADERS = [MARKET_MAKER_OWNER, 1n, 2n, 3n] as const;

const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      customer: fc.constantFrom(...TRADERS),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      kind: fc.constantFrom('limit' as const, 'limit' as const, 'market' as const, 'amount' as const),
      timeInForce: fc.constantFrom('GTC' as const, 'GTC' as const, 'IOC' as const, 'FOK' as const),
      postOnly: fc.boolean(),
      ticks: fc.integer({ min: 5_999_990, max: 6_000_011 }),
      lots: fc.integer({ min: 1, max: 300 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('revoke' as const), nth: fc.nat(30) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('amend' as const),
      nth: fc.nat(30),
      lots: fc.integer({ min: 1, max: 200 }),
      ticks: fc.option(fc.integer({ min: 5_999_990, max: 6_000_011 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      customer: fc.constantFrom(1n, 2n, 3n),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      trigger: fc.constantFrom('stop' as const, 'take_profit' as const),
      kind: fc.constantFrom('limit' as const, 'market' as const, 'amount' as const, 'pair' as const),
      ticks: fc.integer({ min: 5_999_980, max: 6_000_020 }),
      limit: fc.integer({ min: 5_999_990, max: 6_000_011 }),
      lots: fc.integer({ min: 1, max: 150 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('tick' as const), ticks: fc.integer({ min: 5_999_980, max: 6_000_020 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke_waiting' as const), nth: fc.nat(30) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('revoke_all' as const), customer: fc.constantFrom(...TRADERS) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('commit' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rollback' as const) }) },
);

/** Accounts by name. Like the ledger, it rejects a balance below zero after any single transfer. */
class PlainLedger {
  readonly units = new Map<string, bigint>();
  get(key: AccountKey): bigint {
    return this.units.get(`${key.owner}/${key.name}/${key.asset}`) ?? 0n;
  }
  apply(transfers: readonly Transfer[]): void {
    for (const transfer of transfers) {
      if (transfer.kind !== 'single') throw new Error('contracts move money by single transfers');
      expect(transfer.debit.asset).toBe(transfer.credit.asset);
      for (const [key, units] of [
        [transfer.debit, -transfer.units],
        [transfer.credit, transfer.units],
      ] as const) {
        const after = this.get(key) + units;
        expect(after >= 0n).toBe(true);
        this.units.set(`${key.owner}/${key.name}/${key.asset}`, after);
      }
    }
  }
  total(asset: AssetCode): bigint {
    return [...this.units].reduce((sum, [key, units]) => (key.endsWith(`/${asset}`) ? sum + units : sum), 0n);
  }
  inOrders(customer: bigint, asset: AssetCode): bigint {
    return (
      this.units.get(
        `${customer || 0n}/${customer === MARKET_MAKER_OWNER ? 'maker_in_orders' : 'in_orders'}/${asset}`,
      ) ?? 0n
    );
  }
}

/** The rows that the database would contain. */
class PlainTables {
  readonly rows = new Map<number, ContractRow>();
  readonly trades: TradeRow[] = [];
  readonly waiting = new Map<number, WaitingRow>();
  sequence = 0;
  write({ inserted, updated, newTrades, before, sequence, waitingInserted, waitingUpdated }: BookChanges): void {
    expect(before).toBe(this.sequence);
    this.sequence = sequence;
    for (const row of [...inserted, ...updated]) this.rows.set(row.sequence, { ...row });
    this.trades.push(...newTrades);
    for (const row of [...waitingInserted, ...waitingUpdated]) {
      // A waiting order ends once, and is stored only as one that begins or that ends.
      expect([undefined, 'waiting']).toContain(this.waiting.get(row.sequence)?.state);
      this.waiting.set(row.sequence, { ...row });
    }
  }
  waits(): WaitingRow[] {
    return [...this.waiting.values()].filter(({ state }) => state === 'waiting');
  }
  live(): ContractRow[] {
    return [...this.rows.values()].filter(({ isLive }) => isLive).sort((a, b) => a.sequence - b.sequence);
  }
}

describe('CoinBook', () => {
  it('A11 loses and creates no unit, holds what open orders may cost, and rolls back with its batch', () => {
    let trades = 0;
    let triggers = 0;
    fc.assert(
      fc.property(fc.array(command, { minLength: 60, maxLength: 200, size: 'max' }), (commands) => {
        const book = new CoinBook(COIN);
        book.restore({ sequence: 0, trades: 0 }, []);
        let ledger = new PlainLedger();
        for (const customer of TRADERS) {
          ledger.units.set(`${customer}/${customer === MARKET_MAKER_OWNER ? 'maker' : 'spot'}/USDT`, 400_000_000n);
          ledger.units.set(`${customer}/${customer === MARKET_MAKER_OWNER ? 'maker' : 'spot'}/BTC`, 700_000n);
        }
        const tables = new PlainTables();
        let committed = new Map(ledger.units);
        const totals = (): bigint[] => [ledger.total('USDT'), ledger.total('BTC')];
        const before = totals();
        let placedRows: number[] = [];
        let waited: number[] = [];

        const commit = (): void => {
          const changes = book.changes();
          if (changes !== null) tables.write(changes);
          book.commit();
          committed = new Map(ledger.units);
        };
        for (const [at, step] of commands.entries()) {
          if (step.do === 'commit') commit();
          else if (step.do === 'rollback') {
            book.rollback();
            ledger = new PlainLedger();
            for (const [key, units] of committed) ledger.units.set(key, units);
            placedRows = placedRows.filter((sequence) => sequence <= tables.sequence);
            waited = waited.filter((sequence) => sequence <= tables.sequence);
          } else if (step.do === 'revoke') {
            const sequence = placedRows[step.nth % Math.max(placedRows.length, 1)] ?? 0;
            if (book.find(sequence) !== undefined) ledger.apply(book.revoke(sequence, at).transfers);
          } else if (step.do === 'wait') {
            const { customer, side, trigger, kind } = step;
            const order = { coin: COIN, side, quantity: formatDecimal(BigInt(step.lots), 5) } as const;
            const triggerPrice = (BigInt(step.ticks) * 10_000n) as Price;
            const limit = (BigInt(step.limit) * 10_000n) as Price;
            const free = { amountMin: money('USDT', 0n), amountMax: money('USDT', 10n ** 15n) };
            const fees = { makerBps: 10, takerBps: 15 };
            const available = ledger.get(payingAccountOf(customer, COIN, side));
            const isPair = kind === 'pair';
            const amount =
              kind === 'amount' && side === 'buy' ? money('USDT', BigInt(step.lots) * 590_001n) : undefined;
            const read = isPair
              ? readPair({ ...order, price: limit, triggerPrice, stopPrice: undefined }, free)
              : readWaitingTicket(
                  {
                    ...order,
                    ...(amount && { quantity: undefined, amount }),
                    type: kind === 'limit' ? 'limit' : 'market',
                    price: kind === 'limit' ? limit : undefined,
                    trigger,
                    triggerPrice,
                  },
                  free,
                );
            if (!read.ok) throw new Error(read.refusal);
            const ticket = 'stop' in read.effect ? read.effect.stop : read.effect;
            const held = waitingHold(ticket).units;
            if (
              held > available ||
              (isPair && contractHold(side, limit, money(COIN, BigInt(step.lots) * 1_000n)).units > available)
            )
              continue;
            let pair: number | null = null;
            let more: bigint = held;
            if (isPair) {
              const size = money(COIN, BigInt(step.lots) * 1_000n);
              const base = { customer, journal: String(at), side, fees, available, atMs: at, limit, size } as const;
              const placed = book.place({ ...base, type: 'limit', timeInForce: 'GTC', postOnly: true });
              if (!placed.ok) continue;
              ledger.apply(placed.effect.transfers);
              pair = placed.effect.order.sequence;
              more = held > placed.effect.order.held ? held - placed.effect.order.held : 0n;
              placedRows.push(pair);
            }
            const { order: inner } = ticket;
            const { row, transfers } = book.placeWaiting({
              customer,
              journal: String(at),
              side,
              trigger: ticket.trigger,
              triggerPrice,
              type: inner.type,
              timeInForce: inner.timeInForce,
              postOnly: false,
              price: inner.type === 'limit' ? inner.price : null,
              quantity: inner.type === 'limit' ? inner.quantity.units : amount ? null : inner.size.units,
              amount: amount?.units ?? null,
              ...fees,
              acceptedMs: at,
              armedMs: at,
              replaces: null,
              pair,
              held: more,
            });
            ledger.apply(transfers);
            waited.push(row.sequence);
          } else if (step.do === 'revoke_waiting') {
            const sequence = waited[step.nth % Math.max(waited.length, 1)] ?? 0;
            if (book.waiting.find(sequence) !== undefined) ledger.apply(book.revokeWaiting(sequence, at).transfers);
          } else if (step.do === 'tick') {
            const tick = { sequence: BigInt(at + 1), atMs: at, price: (BigInt(step.ticks) * 10_000n) as Price };
            const due = [...book.waiting.all()].filter((row) => isDue(row, tick)).map(({ sequence }) => sequence);
            expect(book.waiting.countDue(tick)).toBe(due.length);
            const done: number[] = [];
            for (;;) {
              const triggered = book.triggerNext(tick, { journal: String(at), atMs: at, barred: [] });
              if (triggered === null) break;
              ledger.apply(triggered.transfers);
              expect(triggered.waiting.held).toBe(0n);
              done.push(triggered.waiting.sequence);
              if (triggered.order) placedRows.push(triggered.order.sequence);
              triggers += 1;
            }
            // In order of acceptance, each once. A trade may have ended one that stood beside a resting order.
            expect(done).toEqual(due.filter((sequence) => done.includes(sequence)));
            expect(book.waiting.countDue(tick)).toBe(0);
          } else if (step.do === 'amend') {
            const sequence = placedRows[step.nth % Math.max(placedRows.length, 1)] ?? 0;
            const row = book.find(sequence);
            if (row === undefined || row.price === null || book.waiting.pairOf(sequence) !== undefined) continue;
            const amended = decideAmend(
              { ...row, price: row.price, dealt: row.dealtQuantity },
              {
                quantity: formatDecimal(BigInt(step.lots), 5),
                price: step.ticks === null ? undefined : ((BigInt(step.ticks) * 10_000n) as Price),
              },
              { amountMin: money('USDT', 0n), amountMax: money('USDT', 0n) },
            );
            if (!amended.ok) continue;
            if (amended.effect.do === 'shrink') {
              const { order, transfers } = book.shrink(sequence, amended.effect, at);
              expect(order.sequence).toBe(sequence);
              ledger.apply(transfers);
              continue;
            }
            const { ticket } = amended.effect;
            const available = ledger.get(payingAccountOf(row.customer, COIN, row.side)) + row.held;
            if (contractHold(row.side, ticket.price, ticket.quantity).units > available) continue;
            const before = book.stateHash();
            const matched = book.place({
              ...ticket,
              customer: row.customer,
              journal: String(at),
              fees: { makerBps: 10, takerBps: 15 },
              available,
              atMs: at,
              limit: ticket.price,
              size: ticket.quantity,
              replaces: sequence,
            });
            if (!matched.ok) {
              expect(book.stateHash()).toBe(before);
              expect(book.find(sequence)).toBe(row);
              continue;
            }
            expect(book.find(sequence)).toBeUndefined();
            ledger.apply(matched.effect.transfers);
            placedRows.push(matched.effect.order.sequence);
          } else if (step.do === 'revoke_all') {
            const { orders, transfers } = book.revokeAll(step.customer, at);
            expect(book.waiting.ofCustomer(step.customer)).toEqual([]);
            expect(orders.map(({ sequence }) => sequence)).toEqual(
              orders.map(({ sequence }) => sequence).sort((a, b) => a - b),
            );
            expect(book.openOrdersOf(step.customer)).toBe(0);
            ledger.apply(transfers);
          } else {
            const { customer, side, kind } = step;
            const available = ledger.get(payingAccountOf(customer, COIN, side));
            const limit = (BigInt(step.ticks) * 10_000n) as Price;
            const quantity = money(COIN, BigInt(step.lots) * 1_000n);
            const isAmount = kind === 'amount' && side === 'buy';
            const size: Money<'BTC'> | Money<'USDT'> = isAmount
              ? money('USDT', BigInt(step.lots) * 590_001n)
              : quantity;
            // The worst case, which the checks before the book compute.
            const worst =
              side === 'sell'
                ? quantity.units
                : isAmount
                  ? size.units
                  : (limit * quantity.units + 99_999_999n) / 100_000_000n;
            if (worst > available && (kind !== 'market' || side === 'sell')) continue;
            const isMarket = kind === 'market' || isAmount;
            const rests = !isMarket && step.timeInForce === 'GTC';
            const matched = book.place({
              customer,
              journal: String(at),
              side,
              type: isMarket ? 'market' : 'limit',
              timeInForce: isMarket ? 'IOC' : step.timeInForce,
              postOnly: step.postOnly && rests,
              fees: { makerBps: 10, takerBps: 15 },
              available,
              atMs: at,
              limit,
              size,
            });
            if (!matched.ok) continue;
            ledger.apply(matched.effect.transfers);
            placedRows.push(matched.effect.order.sequence);
            const { order } = matched.effect;
            if (isAmount) expect(order.dealtAmount <= size.units).toBe(true);
            if (order.timeInForce === 'FOK') expect(order.dealtQuantity).toBe(order.quantity);
          }
          expect(totals()).toEqual(before);
        }
        commit();
        for (const customer of TRADERS) {
          const held = (side: 'buy' | 'sell'): bigint =>
            [...tables.live(), ...tables.waits()].reduce(
              (sum, row) => (row.customer === customer && row.side === side ? sum + row.held : sum),
              0n,
            );
          expect([ledger.inOrders(customer, 'USDT'), ledger.inOrders(customer, COIN)]).toEqual([
            held('buy'),
            held('sell'),
          ]);
        }
        expect(book.stateHash()).toBe(bookHashOfRows(tables.live()));
        expect([...book.waiting.all()]).toEqual(tables.waits());
        // Never two orders of one that waited.
        const became = [...tables.rows.values()].flatMap(({ waiting }) => waiting ?? []);
        expect(new Set(became).size).toBe(became.length);
        // The filled quantity of each order must equal the sum of its trades.
        for (const row of tables.rows.values()) {
          const own = tables.trades.filter(({ makerSequence, takerSequence }) =>
            [makerSequence, takerSequence].includes(row.sequence),
          );
          expect(own.reduce((sum, { quantity }) => sum + quantity, 0n)).toBe(row.dealtQuantity);
          expect(own.reduce((sum, { amount }) => sum + amount, 0n)).toBe(row.dealtAmount);
        }
        trades += tables.trades.length;
        expect(tables.trades.map(({ number }) => number)).toEqual(tables.trades.map((_, n) => n + 1));
      }),
      { numRuns: 300 },
    );
    // Proves that the random orders traded with each other.
    expect(trades).toBeGreaterThan(1_000);
    expect(triggers).toBeGreaterThan(1_000);
  });
});
