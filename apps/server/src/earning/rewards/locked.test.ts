import { randomUUID } from 'node:crypto';
import { money } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { customerAccount, houseAccount, type JournalKind, type Transfer } from '../../ledger/index.ts';
import { openCertifications } from '../../people/certifications/index.ts';
import { openRewardsTest, type RewardsTest } from '../testing-rewards.ts';

let isOn = true;
let room: RewardsTest;
const certifications = () =>
  openCertifications({ database: room.test.database, secrets: { identityKey: Buffer.alloc(32, 9) } } as never).api;
beforeAll(async () => {
  room = await openRewardsTest('Asia/Bangkok', {
    isOn: () => isOn,
    certifiedAmong: (queries, customers) => certifications().certifiedAmong(queries, customers),
  });
});
afterAll(() => room.close());

let last = 300n;
const somebody = (): bigint => (last += 1n);
const app = (text: string, ...values: unknown[]) => room.test.database.query({ name: '', text }, values);
const signIn = (customer: bigint) => room.rewards.signIn(customer, room.intent());
const pointsOf = (customer: bigint) =>
  Promise.all((['spot', 'restricted'] as const).map((place) => room.units(customer, place, 'POINTS')));
const stateOf = (customer: bigint) => room.rewards.signInState(customer, room.clock.now());
/** Writes what an approved certification writes. */
const certify = (customer: bigint): Promise<unknown> =>
  room.owner.query(
    `INSERT INTO certifications.application (id, customer, level, document_type, sealed, digest, state, version, submitted_at, decided_at, decided_by, is_from_before)
     VALUES (left(replace($1, '-', ''), 22), $2, 'primary', 'passport', $3, $4, 'verified', 1, now(), now(), 1, true)`,
    [randomUUID(), customer, Buffer.alloc(40), Buffer.alloc(32, Number(customer % 250n))],
  );
const clean = async (): Promise<void> => expect(await room.violations()).toEqual([]);

it('holds an uncertified customer’s rewards until the certification, and nothing else releases them', async () => {
  const customer = somebody();
  expect(await signIn(customer)).toMatchObject({ ok: true, effect: { points: '5', score: '0', locked: true } });
  await room.rewards.grantPoints(
    { customer, points: money('POINTS', 40n), reason: 'activity', ref: 'a' },
    room.clock.now(),
  );
  expect(await pointsOf(customer)).toEqual([0n, 45n]);
  expect(await stateOf(customer)).toMatchObject({ score: '0', locked: { points: '45', usdt: '0.000000' } });
  await clean();

  const locked = customerAccount(customer, 'POINTS', 'restricted');
  const spot = customerAccount(customer, 'POINTS');
  const attack: JournalKind<Transfer, null, never> = {
    name: 'attack.unlock',
    customer: () => null,
    accounts: () => [locked, spot, houseAccount('rewards', 'POINTS'), customerAccount(999n, 'POINTS')],
    decide: (transfer) => accept({ transfers: [transfer], answer: null }),
  };
  const single = (credit: typeof spot, code: Transfer['code']): Transfer => ({
    kind: 'single',
    debit: locked,
    credit,
    units: 45n,
    code,
  });
  const attempts: readonly (readonly [Transfer, string])[] = [
    [single(houseAccount('rewards', 'POINTS'), 'box_price'), 'purpose'],
    [single(spot, 'contract_release'), 'purpose'],
    [single(customerAccount(999n, 'POINTS'), 'reward_released'), 'purpose'],
    [single(spot, 'reward_released'), 'locked until the certification'],
  ];
  for (const [transfer, refusal] of attempts)
    await expect(room.ledger.post(attack, transfer, room.intent())).rejects.toThrow(refusal);
  await expect(app('SELECT rewards.release_locked($1)', customer)).rejects.toThrow('locked until the certification');
  expect(await room.test.database.transaction((transaction) => room.rewards.release(transaction, customer))).toBe(
    false,
  );
  await room.rewards.releaseDue();
  expect(await pointsOf(customer)).toEqual([0n, 45n]);
  expect(room.faults).toEqual([]);
});

it('is released as a whole, in the transaction of the certification, and never twice', async () => {
  const customer = somebody();
  for (let day = 1; day <= 7; day += 1) {
    room.clock.turnTo(`2037-03-0${day}T05:00:00Z`);
    await signIn(customer);
  }
  expect(await stateOf(customer)).toMatchObject({ locked: { points: '115', usdt: '0.500000' } });
  await certify(customer);
  const release = () =>
    room.ledger.payMany(async (transaction) => {
      await room.rewards.release(transaction, customer);
      return new Set([customer]);
    });
  // A certification that is rolled back releases nothing.
  await expect(
    room.ledger.payMany(async (transaction) => {
      await room.rewards.release(transaction, customer);
      throw new Error('the certification failed');
    }),
  ).rejects.toThrow('the certification failed');
  expect(await pointsOf(customer)).toEqual([0n, 115n]);
  await Promise.allSettled([release(), release(), release()]);
  expect(await pointsOf(customer)).toEqual([115n, 0n]);
  expect(await room.units(customer, 'spot', 'USDT')).toBe(500_000n);
  expect(await stateOf(customer)).toMatchObject({ score: '115', locked: null });
  // From now on they are available at once.
  room.clock.turnTo('2037-03-08T05:00:00Z');
  expect(await signIn(customer)).toMatchObject({ effect: { locked: false, score: '120' } });
  await clean();
});

it('loses nothing: a brand that stops locking, a reward granted during the certification, and a halt', async () => {
  const other = somebody();
  await signIn(other);
  isOn = false;
  room.clock.advance(86_400_000);
  expect(await signIn(other)).toMatchObject({ effect: { locked: false, score: '5' } });
  expect(await stateOf(other)).toMatchObject({ score: '5', locked: { points: '5' } });
  await certify(other);
  await room.rewards.releaseDue();
  expect(await pointsOf(other)).toEqual([10n, 0n]);
  isOn = true;
  await clean();

  const customer = somebody();
  await signIn(customer);
  await certify(customer);
  await room.owner.query(`UPDATE ledger.head SET halted = 'test'`);
  const release = () => room.test.database.transaction((transaction) => room.rewards.release(transaction, customer));
  expect(await release()).toBe(false);
  await room.owner.query('UPDATE ledger.head SET halted = NULL');
  await room.rewards.releaseDue();
  expect(await pointsOf(customer)).toEqual([5n, 0n]);
  expect(room.faults).toEqual([]);
});
