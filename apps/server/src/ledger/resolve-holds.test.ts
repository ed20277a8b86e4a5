import { randomUUID } from 'node:crypto';
import { accept } from '@sathorn/settlement';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../checker/checker/index.ts';
import { Bus } from '../platform/bus/index.ts';
import { systemClock } from '../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing.ts';
import {
  type AccountKey,
  customerAccount,
  type HoldEnding,
  type HoldResolutionKind,
  houseAccount,
  type JournalKind,
  type Ledger,
  openLedger,
  type Transfer,
} from './index.ts';

const EQUITY = houseAccount('equity', 'USDT');
/** This is not the options pool, because the checker compares that account's holds with orders. */
const POOL = houseAccount('house_capital', 'USDT');
const FEES = houseAccount('fee_income', 'USDT');
const ending: HoldResolutionKind = { name: 'test.end', charges: { to: FEES, code: 'option_fee' } };

const given: JournalKind<readonly Transfer[], null, never> = {
  name: 'test.given',
  customer: () => null,
  accounts: () => [],
  decide: (transfers) => accept({ transfers, answer: null }),
};

describe('resolving many holds', () => {
  let test: TestDatabase;
  let ledger: Ledger;
  let owners = 1n;
  const funds: ReadonlySet<bigint>[] = [];

  beforeAll(async () => {
    test = await openTestDatabase({ anyPurpose: true });
    const bus = new Bus();
    bus.on('funds', (touched) => funds.push(touched));
    ledger = openLedger({ eligibility: null, database: test.database, clock: systemClock, bus }).api;
    await post([{ kind: 'single', debit: EQUITY, credit: POOL, units: 10n ** 12n, code: 'pool_funded' }]);
  });
  afterAll(async () => {
    expect(await findViolations(test.checker)).toEqual([]);
    await test.close();
  });

  const post = async (transfers: readonly Transfer[]): Promise<readonly bigint[]> => {
    const id = randomUUID();
    await ledger.post(given, transfers, { id, digest: 'd' });
    return (await ledger.transfersOf([id])).map(({ sequence }) => sequence);
  };
  /** Creates a customer with a balance that is partly held for the pool, and a hold of the pool for the customer. */
  const held = async (units: bigint, stake: bigint, promised: bigint) => {
    owners += 1n;
    const account = customerAccount(owners, 'USDT');
    await post([{ kind: 'single', debit: EQUITY, credit: account, units, code: 'demo_money' }]);
    const [stakeHold = 0n, promisedHold = 0n] = await post([
      { kind: 'hold', debit: account, credit: POOL, units: stake, code: 'option_stake' },
      { kind: 'hold', debit: POOL, credit: account, units: promised, code: 'option_payout' },
    ]);
    return { account, stakeHold, promisedHold };
  };
  const end = (ends: readonly HoldEnding[], through = ledger, kind = ending, id = randomUUID()) =>
    through.resolveHolds(kind, async (_transaction, resolve) => {
      await resolve({ intent: { id, digest: 'd' }, ends });
      return new Set([owners]);
    });
  const balance = async ({ owner, name }: AccountKey) => {
    const found = (await ledger.balances(owner)).find(({ account }) => account.name === name);
    return found && { available: found.available, held: found.held };
  };
  const asOwner = async (text: string, values: unknown[] = []): Promise<void> => {
    const client = new pg.Client(test.owner);
    await client.connect();
    await client.query(text, values).finally(() => client.end());
  };

  it('releases, posts all or a part, and charges the receiver at once; the journal’s lines can be found by their holds', async () => {
    const won = await held(100n, 10n, 80n);
    const lost = await held(100n, 10n, 80n);
    const part = await held(100n, 10n, 80n);
    const pool = await balance(POOL);
    const decision = await end([
      { hold: won.stakeHold, posted: null, charge: 0n },
      { hold: won.promisedHold, posted: 80n, charge: 3n },
      { hold: lost.stakeHold, posted: 10n, charge: 0n },
      { hold: lost.promisedHold, posted: null, charge: 0n },
      { hold: part.stakeHold, posted: 4n, charge: 0n },
      { hold: part.promisedHold, posted: null, charge: 0n },
    ]);
    expect(decision).toEqual({ ok: true, effect: null });
    expect(await balance(won.account)).toEqual({ available: 177n, held: 0n });
    expect(await balance(lost.account)).toEqual({ available: 90n, held: 0n });
    expect(await balance(part.account)).toEqual({ available: 96n, held: 0n });
    expect(await balance(FEES)).toEqual({ available: 3n, held: 0n });
    expect(await balance(POOL)).toEqual({
      available: (pool?.available ?? 0n) + 240n - 80n + 14n,
      held: (pool?.held ?? 0n) - 240n,
    });
    expect(funds.at(-1)).toEqual(new Set([owners]));

    const lines = await ledger.transfersOfHolds([won.stakeHold, won.promisedHold]);
    expect(lines.map(({ kind, code, units, resolves }) => ({ kind, code, units, resolves }))).toEqual([
      { kind: 'hold', code: 'option_stake', units: 10n, resolves: null },
      { kind: 'hold', code: 'option_payout', units: 80n, resolves: null },
      { kind: 'void', code: 'option_stake', units: 10n, resolves: won.stakeHold },
      { kind: 'post', code: 'option_payout', units: 80n, resolves: won.promisedHold },
      { kind: 'single', code: 'option_fee', units: 3n, resolves: null },
    ]);
    expect(await ledger.transfersOfHolds([lost.stakeHold, lost.promisedHold])).toHaveLength(4);
    const [line] = await ledger.statement(won.account, 'out', null, 1);
    expect(line).toMatchObject({ change: -3n, after: 177n });
  });

  it('is visible to the next batches, of this process and of others', async () => {
    const one = await held(100n, 60n, 10n);
    const elsewhere = openLedger({
      eligibility: null,
      database: test.database,
      clock: systemClock,
      bus: new Bus(),
    }).api;
    await end([{ hold: one.stakeHold, posted: 60n, charge: 0n }], elsewhere);
    const spend = (units: bigint) =>
      post([{ kind: 'single', debit: one.account, credit: POOL, units, code: 'option_stake' }]);
    await expect(spend(41n)).rejects.toThrow('overdraws');
    await spend(40n);
    expect(await balance(one.account)).toEqual({ available: 0n, held: 0n });
    await end([{ hold: one.promisedHold, posted: 10n, charge: 0n }]);
    expect(await balance(one.account)).toEqual({ available: 10n, held: 0n });
  });

  it.each<[string, string, (of: Awaited<ReturnType<typeof held>>) => HoldEnding[]]>([
    ['nothing at all', 'does not fit', () => []],
    ['more than was held', 'does not fit', ({ stakeHold }) => [{ hold: stakeHold, posted: 11n, charge: 0n }]],
    ['a post of nothing', 'does not fit', ({ stakeHold }) => [{ hold: stakeHold, posted: 0n, charge: 0n }]],
    ['less than nothing', 'does not fit', ({ stakeHold }) => [{ hold: stakeHold, posted: -1n, charge: 0n }]],
    [
      'a charge above the hold',
      'does not fit',
      ({ promisedHold }) => [{ hold: promisedHold, posted: 1n, charge: 81n }],
    ],
    ['a hold that does not exist', 'does not fit', () => [{ hold: 10n ** 15n, posted: null, charge: 0n }]],
    ['a transfer that is not a hold', 'does not fit', () => [{ hold: 1n, posted: null, charge: 0n }]],
    [
      'a hold that ends twice',
      'transfer_one_resolution',
      ({ stakeHold }) => [
        { hold: stakeHold, posted: null, charge: 0n },
        { hold: stakeHold, posted: null, charge: 0n },
      ],
    ],
    [
      'a charge that exceeds the balance, even for a moment',
      'overdraws',
      ({ stakeHold, promisedHold }) => [
        { hold: promisedHold, posted: 1n, charge: 2n },
        { hold: stakeHold, posted: null, charge: 0n },
      ],
    ],
  ])('refuses %s, together with the rest of the call', async (_what, message, ends) => {
    const one = await held(10n, 10n, 80n);
    const before = [await balance(one.account), await balance(POOL), await balance(FEES)];
    await expect(end(ends(one))).rejects.toThrow(message);
    expect([await balance(one.account), await balance(POOL), await balance(FEES)]).toEqual(before);
  });

  it('refuses a hold that ended before, a journal that was posted before, and charges in another asset', async () => {
    const one = await held(100n, 10n, 80n);
    const id = randomUUID();
    const voided = { hold: one.stakeHold, posted: null, charge: 0n };
    await end([voided], ledger, ending, id);
    await expect(end([voided])).rejects.toThrow('transfer_one_resolution');
    const other = { hold: one.promisedHold, posted: 80n, charge: 1n };
    await expect(end([other], ledger, ending, id)).rejects.toThrow('journal_pkey');
    const inBaht: HoldResolutionKind = {
      name: 'test.end',
      charges: { to: houseAccount('fee_income', 'THB'), code: 'option_fee' },
    };
    await expect(end([other], ledger, inBaht)).rejects.toThrow('does not fit');
  });

  it('refuses to post to a closed account, and voids a hold on it', async () => {
    const [one, two] = [await held(100n, 10n, 80n), await held(100n, 10n, 80n)];
    await asOwner('UPDATE ledger.account SET closed = true WHERE owner = ANY ($1)', [
      [one.account.owner, two.account.owner],
    ]);
    await expect(end([{ hold: one.stakeHold, posted: 10n, charge: 0n }])).rejects.toThrow('closed');
    await end([
      { hold: two.stakeHold, posted: null, charge: 0n },
      { hold: two.promisedHold, posted: null, charge: 0n },
    ]);
    expect(await balance(two.account)).toEqual({ available: 100n, held: 0n });
  });

  it('refuses while money is halted, and rolls back the other writes of the transaction', async () => {
    const one = await held(100n, 10n, 80n);
    await asOwner(`SELECT ledger.halt_money('a test')`);
    expect(await end([{ hold: one.stakeHold, posted: null, charge: 0n }])).toEqual({
      ok: false,
      refusal: 'money_halted',
    });
    await asOwner(`SELECT ledger.resume_money('Ann', 'the test is over')`);
    expect(await balance(one.account)).toEqual({ available: 90n, held: 10n });
  });

  it('gives every account the balance that follows from its lines, while others post', async () => {
    const endOf = fc.record({ kind: fc.constantFrom('void', 'all', 'part'), charged: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(endOf, { minLength: 1, maxLength: 12 }),
        fc.nat({ max: 2 }),
        async (wanted, accounts) => {
          const customers = await Promise.all(Array.from({ length: accounts + 1 }, () => held(1_000n, 1n, 1n)));
          const holds = await post(
            wanted.map((_, n): Transfer => {
              const account = customers[n % customers.length]?.account ?? POOL;
              return { kind: 'hold', debit: POOL, credit: account, units: 50n, code: 'option_payout' };
            }),
          );
          const ends = wanted.map(({ kind, charged }, n): HoldEnding => {
            const posted = kind === 'void' ? null : kind === 'all' ? 50n : 20n;
            return { hold: holds[n] ?? 0n, posted, charge: charged && posted !== null ? 7n : 0n };
          });
          const gift: Transfer = { kind: 'single', debit: EQUITY, credit: POOL, units: 1n, code: 'pool_funded' };
          await Promise.all([end(ends), post([gift]), post([gift])]);
          const expected = customers.map((_, customer) =>
            ends.reduce(
              (sum, { posted, charge }, n) => (n % customers.length === customer ? sum + (posted ?? 0n) - charge : sum),
              999n,
            ),
          );
          expect(await Promise.all(customers.map(async ({ account }) => (await balance(account))?.available))).toEqual(
            expected,
          );
        },
      ),
      { numRuns: 15 },
    );
    // Checks entry numbers, totals and sums of holds, account by account.
    expect(await findViolations(test.checker)).toEqual([]);
  });
});
