import { randomUUID } from 'node:crypto';
import { type Price, parsePrice } from '@sathorn/money';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLedger } from '../../ledger/index.ts';
import { FragileDatabase, type StrikeDrill, strikeEachStep } from '../../whole/testing-strikes.ts';
import {
  type ContractsTest,
  openContractsTest,
  type RunningContracts,
  readStoredBookHash,
} from './testing-contracts.ts';

const [ANAN, MALI] = [1n, 2n];

interface Resting {
  /** The resting order that will be partly filled. */
  readonly taken: string;
  readonly revoked: string;
}

describe('B1 a matcher whose connection is cut at any step of a batch', () => {
  let room: ContractsTest;
  let contracts: RunningContracts;
  let fragile: FragileDatabase;

  beforeAll(async () => {
    room = await openContractsTest();
    room.index.set('BTC', parsePrice('60000') as Price);
    fragile = new FragileDatabase(room.test.database);
    contracts = await room.open({
      ledger: openLedger({ eligibility: room.eligibility, database: fragile, clock: room.clock, bus: room.bus }).api,
    });
    for (const customer of [ANAN, MALI]) {
      await room.fund(customer, 'USDT', '100000');
      await room.fund(customer, 'BTC', '10');
    }
  });
  afterAll(() => room.close());

  const revoke = (owner: bigint, id: string) => contracts.revoke(owner, id, { id: randomUUID(), digest: 'd' });

  /** One batch contains a trade that leaves a rest, a revoke, a resting order, and a refused order. */
  const batch = {
    async prepare(): Promise<Resting> {
      const taken = await contracts.order(ANAN, { side: 'sell', type: 'limit', price: '60000', quantity: '0.01' });
      const revoked = await contracts.order(ANAN, { side: 'buy', type: 'limit', price: '59000', quantity: '0.01' });
      if (!taken.ok || !revoked.ok) throw new Error('an order before the cut was refused');
      return { taken: taken.effect.id, revoked: revoked.effect.id };
    },
    command: ({ revoked }: Resting) =>
      Promise.all([
        contracts.order(MALI, { side: 'buy', type: 'limit', price: '60000', quantity: '0.004' }),
        revoke(ANAN, revoked),
        contracts.order(MALI, { side: 'sell', type: 'limit', price: '61000', quantity: '0.01' }),
        contracts.order(MALI, { side: 'sell', type: 'limit', price: '61000', quantity: '16' }),
      ]),
    async audit({ taken }: Resting, answers: readonly unknown[]): Promise<void> {
      expect(answers).toMatchObject([
        { ok: true, effect: { status: 'filled', dealt_quantity: '0.00400000' } },
        { ok: true, effect: { status: 'cancelled', reason: 'revoked' } },
        { ok: true, effect: { status: 'open' } },
        { ok: false, refusal: 'exceeds_balance' },
      ]);
      expect(await contracts.read(ANAN, taken)).toMatchObject({
        ok: true,
        effect: { status: 'partial', fills: [{ quantity: '0.00400000' }] },
      });
      // The next command must work with whatever the batch left.
      for (const owner of [ANAN, MALI])
        for (const { id } of await contracts.open(owner)) {
          expect(await revoke(owner, id)).toMatchObject({ ok: true });
          expect(contracts.stateHash('BTC')).toBe(await readStoredBookHash(room.test, 'BTC'));
        }
    },
  } satisfies StrikeDrill<Resting, readonly unknown[]>;

  it.each(['before', 'after'] as const)(
    '%s a statement: everything is done once, and the book is as the database has it',
    async (phase) => {
      expect(await strikeEachStep(fragile, phase, batch)).toBeGreaterThan(7);
      expect(fragile.said).toContain('contracts.insert_trades');
      expect(await room.violations()).toEqual([]);
    },
    120_000,
  );

  it('after the commit, before the answer: the batch is not carried out again, and listeners load the state again', async () => {
    const prepared = await batch.prepare();
    const heard: string[] = [];
    for (const name of ['contracts', 'gap'] as const) room.bus.on(name, () => heard.push(name));
    fragile.arm(1, 'committed');
    await batch.audit(prepared, await batch.command(prepared));
    expect(fragile.wasStruck).toBe(true);
    // The batch itself emits nothing more; the later events are the audit's revokes.
    expect(heard.slice(0, 2)).toEqual(['gap', 'contracts']);
    expect(await room.violations()).toEqual([]);
  });
});
