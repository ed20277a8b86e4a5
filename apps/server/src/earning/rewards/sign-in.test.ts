import { money } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { customerAccount, HOUSE_OWNER, houseAccount, type JournalKind } from '../../ledger/index.ts';
import { openRewardsTest, type RewardsTest } from '../testing-rewards.ts';

let room: RewardsTest;
beforeAll(async () => {
  room = await openRewardsTest();
});
afterEach(async () => expect(await room.violations()).toEqual([]));
afterAll(() => room.close());

let last = 200n;
const somebody = (): bigint => {
  last += 1n;
  return last;
};
const signIn = (customer: bigint, of = room) => of.rewards.signIn(customer, of.intent());

it('climbs the ladder day by day, and restarts after the seventh and after a missed day', async () => {
  const customer = somebody();
  const days: string[] = [];
  for (let day = 1; day <= 8; day += 1) {
    room.clock.turnTo(`2036-12-${String(day).padStart(2, '0')}T05:00:00Z`);
    const decision = await signIn(customer);
    if (!decision.ok) throw new Error(decision.refusal);
    days.push(`${decision.effect.days}: ${decision.effect.points} ${decision.effect.usdt}`);
  }
  expect(days).toEqual([
    '1: 5 0.000000',
    '2: 5 0.000000',
    '3: 10 0.000000',
    '4: 10 0.000000',
    '5: 15 0.000000',
    '6: 20 0.000000',
    '7: 50 0.500000',
    '1: 5 0.000000',
  ]);
  room.clock.turnTo('2036-12-10T05:00:00Z');
  expect(await room.rewards.signInState(customer, room.clock.now())).toMatchObject({ days: 0, rung: 1, since: null });
  expect(await signIn(customer)).toMatchObject({ effect: { days: 1 } });
  expect(await room.rewards.signInState(customer, room.clock.now())).toMatchObject({
    days: 1,
    signed_today: true,
    since: '2036-12-10',
    score: '125',
    next_day_at: '2036-12-10T17:00:00.000Z',
  });
});

it('B8 pays once a local day: many devices at midnight, and a clock that is set back', async () => {
  const customer = somebody();
  room.clock.turnTo('2036-12-20T16:59:59Z');
  const before = await Promise.all(Array.from({ length: 20 }, () => signIn(customer)));
  expect(before.filter(({ ok }) => ok)).toHaveLength(1);
  // Midnight in Bangkok is at 17:00 UTC.
  room.clock.turnTo('2036-12-20T17:00:00Z');
  const after = await Promise.all(Array.from({ length: 20 }, () => signIn(customer)));
  expect(after.flatMap((decision) => (decision.ok ? decision.effect.days : []))).toEqual([2]);
  room.clock.turnTo('2036-12-19T17:00:00Z');
  expect(await signIn(customer)).toMatchObject({ refusal: 'already_signed_in' });
  expect(await room.units(customer, 'spot', 'POINTS')).toBe(10n);
});

it('has one reward for each local day when the clocks change', async () => {
  const london = await openRewardsTest('Europe/London');
  const customer = somebody();
  // The clocks go back an hour in the night of 25 October 2037, so that day has 25 hours.
  const moments = ['2037-10-24T22:59:00Z', '2037-10-24T23:01:00Z', '2037-10-25T23:59:00Z', '2037-10-26T00:01:00Z'];
  const rungs: (number | string)[] = [];
  for (const moment of moments) {
    london.clock.turnTo(moment);
    const decision = await signIn(customer, london);
    rungs.push(decision.ok ? decision.effect.days : decision.refusal);
  }
  expect(rungs).toEqual([1, 2, 'already_signed_in', 3]);
  expect(await london.violations()).toEqual([]);
  await london.close();
});

it('never overdraws the account: without USDT it grants points and says so, and finally nothing', async () => {
  const customer = somebody();
  for (let day = 1; day <= 6; day += 1) {
    room.clock.turnTo(`2037-01-0${day}T05:00:00Z`);
    await signIn(customer);
  }
  await drain('USDT', 499_999n);
  room.clock.turnTo('2037-01-07T05:00:00Z');
  expect(await signIn(customer)).toMatchObject({
    effect: { days: 7, points: '50', usdt: '0.000000', usdt_missed: '0.500000' },
  });
  await drain('POINTS', 3n);
  room.clock.turnTo('2037-01-08T05:00:00Z');
  expect(await signIn(customer)).toMatchObject({ refusal: 'reward_fund_empty' });
  expect(
    await room.rewards.grantPoints(
      { customer, points: money('POINTS', 4n), reason: 'activity', ref: 'x' },
      room.clock.now(),
    ),
  ).toMatchObject({ refusal: 'reward_fund_empty' });
  expect(await room.units(HOUSE_OWNER, 'rewards', 'POINTS')).toBe(3n);
});

/** Spends the rewards account until `left` units remain: points on a grant, USDT on the budget of a box. */
async function drain(asset: 'USDT' | 'POINTS', left: bigint): Promise<void> {
  const units = (await room.units(HOUSE_OWNER, 'rewards', asset)) - left;
  if (asset === 'POINTS') {
    await room.rewards.grantPoints(
      { customer: 999n, points: money('POINTS', units), reason: 'activity', ref: 'all' },
      room.clock.now(),
    );
    return;
  }
  const table = [{ prize: 'usdt' as const, amount: 1n, weight: 1 }];
  await room.publish({
    table,
    budget: { USDT: units, POINTS: 0n },
    closes: new Date(room.clock.now().getTime() + 9e9),
  });
}

it('grants once per reference, whoever requests it and how often', async () => {
  await Promise.all(
    Array.from({ length: 10 }, () =>
      room.rewards.grantPoints(
        { customer: 500n, points: money('POINTS', 1n), reason: 'activity', ref: 'one' },
        room.clock.now(),
      ),
    ),
  );
  expect(await room.units(500n, 'spot', 'POINTS')).toBe(1n);
});

it('refuses a frozen customer', async () => {
  const customer = somebody();
  room.frozen.add(customer);
  expect(await signIn(customer)).toMatchObject({ refusal: 'account_frozen' });
});

it('moves points only as rewards and prices of boxes, never between customers', async () => {
  const transfer: JournalKind<null, null, never> = {
    name: 'attack.transfer',
    customer: () => null,
    accounts: () => [customerAccount(999n, 'POINTS'), customerAccount(500n, 'POINTS')],
    decide: () =>
      accept({
        transfers: [
          {
            kind: 'single',
            debit: customerAccount(999n, 'POINTS'),
            credit: customerAccount(500n, 'POINTS'),
            units: 1n,
            code: 'points_granted',
          },
        ],
        answer: null,
      }),
  };
  await expect(room.ledger.post(transfer, null, room.intent())).rejects.toThrow('purpose');
  expect(houseAccount('rewards', 'POINTS').owner).toBe(HOUSE_OWNER);
});
