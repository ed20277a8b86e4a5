import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CoinCode } from '@sathorn/money';
import { readContractTicket } from '@sathorn/settlement';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContractKind } from './contract-kind.ts';
import { takeBookLease } from './contract-store.ts';
import { type ContractsTest, ORDER_KEY, openContractsTest, readStoredBookHash } from './testing-contracts.ts';

describe('the book of a coin that is loaded before it is served', () => {
  let room: ContractsTest;
  beforeAll(async () => {
    room = await openContractsTest();
  });
  afterAll(() => room.close());

  /** The batch blocks at this table while the test locks it: between its decision and its writes, or during them. */
  it.each(['ledger.account', 'contracts.orders'])('is left to a batch that has it (%s)', async (table) => {
    const { database } = room.test;
    const leases = new Map<CoinCode, bigint>([['BTC', await takeBookLease(database, 'BTC')]]);
    const kind = new ContractKind({
      market: room.market,
      leases,
      orderKey: ORDER_KEY,
      onCommitted: () => undefined,
    });
    const customer = BigInt(Date.now());
    await room.fund(customer, 'USDT', '1000');
    const ticket = readContractTicket({
      coin: 'BTC',
      side: 'buy',
      type: 'limit',
      price: 50_000_000_000n as never,
      quantity: '0.01',
    });
    if (!ticket.ok) throw new Error(ticket.refusal);
    const client = new pg.Client(room.test.owner);
    await client.connect();
    await client.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
    const placed = room.ledger.post(
      kind,
      { do: 'place', customer, ticket: ticket.effect, level: 0 },
      { id: randomUUID(), digest: '1' },
    );
    while (kind.book('BTC')?.isCommitted !== false) await pause(5);
    await kind.bring(database, 'BTC');
    await client.query('ROLLBACK');
    await client.end();
    expect(await placed).toMatchObject({ ok: true, effect: { status: 'open' } });
    expect(kind.book('BTC')?.stateHash()).toBe(await readStoredBookHash(room.test, 'BTC'));
    expect(await room.violations()).toEqual([]);
  });
});
