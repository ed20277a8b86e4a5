import { randomUUID } from 'node:crypto';
import { type CoinCode, money, type Price, parsePrice } from '@sathorn/money';
import { decideQuotes, QUOTE_TERMS, readContractTicket } from '@sathorn/settlement';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ledger, openLedger } from '../../ledger/index.ts';
import { isConnectionFault } from '../../platform/database/index.ts';
import { recordStatements } from '../../platform/database/testing.ts';
import { ContractKind } from './contract-kind.ts';
import { BookLeaseLostError, takeBookLease } from './contract-store.ts';
import { type ContractsTest, ORDER_KEY, openContractsTest, readStoredBookHash } from './testing-contracts.ts';

const [ANAN, MALI, NICHA] = [1n, 2n, 3n];

describe('a speculative batch of contract orders', () => {
  let room: ContractsTest;
  let ledger: Ledger;
  let kind: ContractKind;
  let statements: string[] = [];
  /** The pool waits for this promise before it hands out a connection, so that a test can delay that. */
  let connected = Promise.resolve();
  const leases = new Map<CoinCode, bigint>();

  beforeAll(async () => {
    room = await openContractsTest();
    room.index.set('BTC', parsePrice('60000') as Price);
    const { database } = room.test;
    const listening = recordStatements(database, (name) => statements.push(name));
    const transaction: typeof database.transaction = (work) => connected.then(() => listening.transaction(work));
    ledger = openLedger({
      eligibility: room.eligibility,
      database: { ...listening, transaction },
      clock: room.clock,
      bus: room.bus,
    }).api;
    leases.set('BTC', await takeBookLease(database, 'BTC'));
    kind = new ContractKind({
      market: room.market,
      leases,
      orderKey: ORDER_KEY,
      onCommitted: () => undefined,
    });
    for (const customer of [ANAN, MALI, NICHA]) {
      await room.fund(customer, 'USDT', '100000');
      await room.fund(customer, 'BTC', '10');
    }
    await kind.bring(database, 'BTC');
  });
  afterAll(async () => {
    expect(await room.violations()).toEqual([]);
    await room.close();
  });

  const place = (
    customer: bigint,
    side: 'buy' | 'sell',
    price: string,
    quantity: string,
    tif: 'GTC' | 'FOK' = 'GTC',
  ) => {
    const ticket = readContractTicket({
      coin: 'BTC',
      side,
      type: 'limit',
      price: parsePrice(price),
      quantity,
      timeInForce: tif,
    });
    if (!ticket.ok) throw new Error(ticket.refusal);
    return ledger.post(
      kind,
      { do: 'place', customer, ticket: ticket.effect, level: 0 },
      { id: randomUUID(), digest: 'd' },
    );
  };
  const revoke = (customer: bigint, sequence: number) =>
    ledger.post(kind, { do: 'revoke', customer, coin: 'BTC', sequence }, { id: randomUUID(), digest: 'd' });
  const sequenceOf = (decision: Awaited<ReturnType<typeof place>>): number =>
    decision.ok && 'id' in decision.effect ? Number(decision.effect.id.split('-')[1]) : 0;
  /** Places and revokes orders until memory is trusted. */
  const untilTrusted = async (): Promise<void> => {
    for (let n = 0; n < 200; n += 1) {
      statements = [];
      await revoke(ANAN, sequenceOf(await place(ANAN, 'buy', '50000', '0.01')));
      if (!statements.includes('ledger.lock_head')) return;
    }
    throw new Error('memory is never trusted');
  };

  it('is sent in one pipeline, and matches', async () => {
    await untilTrusted();
    const resting = await place(ANAN, 'sell', '60000', '0.01');
    await place(MALI, 'buy', '60000', '0.001');
    statements = [];
    const taken = await place(MALI, 'buy', '60000', '0.009');
    expect(taken).toMatchObject({ ok: true, effect: { status: 'filled' } });
    expect(statements).not.toContain('ledger.lock_head');
    expect(statements).toContain('contracts.insert_trades');
    // The order was filled just now and is in memory, so no query is needed.
    statements = [];
    expect(await revoke(ANAN, sequenceOf(resting))).toMatchObject({ ok: false, refusal: 'order_ended' });
    expect(await revoke(MALI, sequenceOf(resting))).toMatchObject({ ok: false, refusal: 'order_unknown' });
    expect(statements).not.toContain('contracts.read_orders');
    expect(kind.book('BTC')?.stateHash()).toBe(await readStoredBookHash(room.test, 'BTC'));
  });

  it('refuses the orders of a frozen customer, and no others', async () => {
    await untilTrusted();
    room.frozen.add(NICHA);
    const [theirs, others] = await Promise.all([
      place(NICHA, 'buy', '50000', '0.01'),
      place(MALI, 'buy', '50000', '0.01'),
    ]);
    expect(theirs).toMatchObject({ ok: false, refusal: 'account_frozen' });
    expect(others).toMatchObject({ ok: true, effect: { status: 'open' } });
    expect(kind.book('BTC')?.stateHash()).toBe(await readStoredBookHash(room.test, 'BTC'));
    room.frozen.clear();
    await revoke(MALI, sequenceOf(others));
  });

  it('is decided again if it waited long for a connection', async () => {
    await untilTrusted();
    const quotes = decideQuotes({
      coin: 'BTC',
      index: parsePrice('60000') as Price,
      isFast: false,
      terms: QUOTE_TERMS.BTC,
      coins: money('BTC', 100_000_000n),
      usdt: money('USDT', 100_000_000_000n),
    });
    const quote = () => {
      const untilMs = room.clock.ms + 2_000;
      const command = { do: 'quote', coin: 'BTC', lease: leases.get('BTC') ?? 0n, quotes, untilMs } as const;
      return ledger.post(kind, command, { id: randomUUID(), digest: 'd' });
    };
    // From here on the maker's accounts are in memory.
    expect(await quote()).toMatchObject({ effect: { quoted: quotes.length } });
    await untilTrusted();
    const gate = Promise.withResolvers<void>();
    connected = gate.promise;
    const late = quote();
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    room.clock.ms += 2_001;
    gate.resolve();
    expect(await late).toMatchObject({ effect: { quoted: 0 } });
  });

  it('fails once another process has the lease, even if it only refuses orders', async () => {
    await untilTrusted();
    await takeBookLease(room.test.database, 'BTC');
    for (const tif of ['FOK', 'GTC'] as const) {
      const fault = await place(MALI, 'buy', '50000', '0.01', tif).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(BookLeaseLostError);
      expect(isConnectionFault(fault)).toBe(false);
    }
    expect(kind.book('BTC')?.stateHash()).toBe(await readStoredBookHash(room.test, 'BTC'));
  });
});
