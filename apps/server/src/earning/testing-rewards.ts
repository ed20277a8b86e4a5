import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { findViolations } from '../checker/checker/index.ts';
import { fundDemoHouse, giveDemoMoney } from '../demo/demo/index.ts';
import { type Ledger, openLedger } from '../ledger/index.ts';
import { eligibilityWithFrozen } from '../ledger/testing.ts';
import { Bus } from '../platform/bus/index.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing.ts';
import { ed25519Signer } from '../platform/proofs/index.ts';
import { type BeaconClient, type Boxes, openBoxes, type ProposedBox } from './boxes/index.ts';
import { DEMO_LADDER, openRewards, type RewardLock, type Rewards } from './rewards/index.ts';

/** A clock that moves only when the test moves it. */
class HandClock {
  #now = new Date('2036-12-01T05:00:00Z');
  now(): Date {
    return this.#now;
  }
  turnTo(moment: string): void {
    this.#now = new Date(moment);
  }
  advance(ms: number): void {
    this.#now = new Date(this.#now.getTime() + ms);
  }
}

export interface RewardsTest {
  readonly test: TestDatabase;
  readonly clock: HandClock;
  readonly ledger: Ledger;
  readonly boxes: Boxes;
  readonly rewards: Rewards;
  readonly frozen: Set<bigint>;
  readonly owner: pg.Pool;
  readonly faults: unknown[];
  intent(): { id: string; digest: string };
  give(customer: bigint, points: bigint): Promise<void>;
  units(owner: bigint, name: string, asset: string): Promise<bigint>;
  /** Publishes a box, waits until it is on sale, and returns its id. */
  publish(change?: Partial<ProposedBox>): Promise<string>;
  /** Opens the module again as a second process would, optionally with another key or beacon. */
  open(change?: { key?: Buffer | null; beacon?: BeaconClient }): Boxes;
  violations(): Promise<unknown[]>;
  close(): Promise<void>;
}

export async function openRewardsTest(
  timeZone = 'Asia/Bangkok',
  lock: RewardLock = { isOn: () => false, certifiedAmong: async () => new Set() },
): Promise<RewardsTest> {
  const test = await openTestDatabase();
  const { database } = test;
  const clock = new HandClock();
  const frozen = new Set<bigint>();
  const faults: unknown[] = [];
  const ledger = openLedger({ eligibility: eligibilityWithFrozen(frozen), database, clock, bus: new Bus() }).api;
  await fundDemoHouse(ledger);
  const owner = new pg.Pool({ ...test.owner, max: 1 });
  owner.on('error', () => undefined);
  const onFault = (error: unknown): void => void faults.push(error);
  const rewards = openRewards({ database, ledger, timeZone, clock, lock, onFault }).api;
  await rewards.offerDemo(DEMO_LADDER, clock.now());
  const none: BeaconClient = { has: () => false, read: async () => null };
  const open: RewardsTest['open'] = ({ key = Buffer.alloc(32, 7), beacon = none } = {}) =>
    openBoxes({
      database,
      reads: database,
      ledger,
      clock,
      signer: ed25519Signer(Buffer.alloc(32, 5)),
      key,
      isOffering: true,
      environment: 'demo',
      beacon,
      isLocked: async () => false,
      onFault,
    }).api;
  const boxes = open();
  return {
    test,
    clock,
    ledger,
    boxes,
    rewards,
    frozen,
    owner,
    faults,
    open,
    intent: () => ({ id: randomUUID(), digest: 'test' }),
    async give(customer, points) {
      const gift = { to: customer, asset: 'POINTS' as const, units: points };
      const decision = await giveDemoMoney(ledger, gift, { id: randomUUID(), digest: 'gift' });
      if (!decision.ok) throw new Error(decision.refusal);
    },
    units: async (of, name, asset) =>
      (await ledger.balances(of)).find(({ account }) => account.name === name && account.asset === asset)?.available ??
      0n,
    async publish(change = {}) {
      const now = clock.now();
      const box: ProposedBox = {
        names: { en: 'Box', th: 'กล่อง' },
        price: 10n,
        table: [
          { prize: 'usdt', amount: 1_000_000n, weight: 100 },
          { prize: 'points', amount: 5n, weight: 900 },
        ],
        budget: { USDT: 100_000_000n, POINTS: 1_000n },
        drawsMax: 500,
        opens: new Date(now.getTime() + 1_000),
        closes: new Date(now.getTime() + 86_400_000),
        beacon: 'none',
        ...change,
      };
      const decision = await boxes.publish(`test ${randomUUID()}`, box, null, now);
      if (!decision.ok) throw new Error(decision.refusal);
      clock.advance(2_000);
      return decision.effect.id;
    },
    violations: () => findViolations(test.checker) as Promise<unknown[]>,
    async close() {
      await owner.end();
      await test.close();
    },
  };
}
