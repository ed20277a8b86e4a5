import type { SignInState } from '@sathorn/api';
import { type Money, money } from '@sathorn/money';
import {
  type Certified,
  CONTRACT_FEES,
  type ContractFees,
  FIRST_LEVEL_TERMS,
  type Flow,
  heldInflow,
  type LevelTerms,
  vipLevelOf,
  withdrawalDailyMax,
} from '@sathorn/settlement';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';
import { listLevelsHandler } from './list-levels.ts';
import { readLevelHandler } from './read-level.ts';

/** How long a level is cached, so a completed deposit takes effect within this time. */
const TRUST_MS = 5_000;
const KEPT_MAX = 50_000;

export interface LevelsDependencies {
  readonly database: Database;
  readonly clock: Clock;
  /** What came in and went out, in units of USDT. */
  readonly flowsOf: (queries: Queries, customer: bigint) => Promise<readonly Flow[]>;
  readonly certifiedOf: (queries: Queries, customer: bigint) => Promise<Certified>;
  /** Null where there is no daily sign-in. */
  readonly signInOf: (customer: bigint, now: Date) => Promise<SignInState | null>;
  /** Levels and fees in force; by default the first version. */
  readonly terms?: () => LevelTerms;
  readonly fees?: () => readonly ContractFees[];
}

export interface LevelRoom {
  readonly terms: () => LevelTerms;
  readonly fees: () => readonly ContractFees[];
}

/** A customer's level and what it grants. */
export interface Standing {
  readonly level: number;
  /** The net inflow that was held for the published days. */
  readonly deposited: Money<'USDT'>;
  /** Net inflow that counts later, if it stays. */
  readonly waiting: Money<'USDT'>;
  readonly certified: Certified;
  readonly fees: ContractFees;
  /** USDT a day, which depends on certification and level. */
  readonly withdrawalDailyMax: Money<'USDT'>;
}

/**
 * Levels are not stored. A level follows from deposits and withdrawals, so a reversed deposit lowers it, nobody can be
 * given one, and the same money in circles buys none.
 */
export interface Levels {
  /** The level, from 0, for fees. At most five seconds old. */
  levelOf(customer: bigint): Promise<number>;
  /** The current standing, for withdrawal limits, read in their transaction. */
  standingOf(queries: Queries, customer: bigint): Promise<Standing>;
}

export function openLevels({
  database,
  clock,
  flowsOf,
  certifiedOf,
  signInOf,
  terms = () => FIRST_LEVEL_TERMS,
  fees: feesInForce = () => CONTRACT_FEES,
}: LevelsDependencies): Module<Levels> {
  const kept = new Map<bigint, { readonly level: number; readonly at: number }>();
  const inflowOf = async (queries: Queries, customer: bigint) => {
    const { counted, held } = heldInflow(await flowsOf(queries, customer), clock.now());
    return { deposited: money('USDT', counted), waiting: money('USDT', held - counted) };
  };

  const api: Levels = {
    levelOf: async (customer) => {
      const now = clock.now().getTime();
      const known = kept.get(customer);
      if (known && now >= known.at && now - known.at < TRUST_MS) return known.level;
      const level = vipLevelOf((await inflowOf(database, customer)).deposited, terms().levels);
      kept.delete(customer);
      kept.set(customer, { level, at: now });
      const [oldest] = kept.keys();
      if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
      return level;
    },
    standingOf: async (queries, customer) => {
      const { deposited, waiting } = await inflowOf(queries, customer);
      const certified = await certifiedOf(queries, customer);
      const level = vipLevelOf(deposited, terms().levels);
      const fees = feesInForce()[level];
      if (!fees) throw new Error(`level ${level} has no fees`);
      return {
        level,
        deposited,
        waiting,
        certified,
        fees,
        withdrawalDailyMax: withdrawalDailyMax(certified, level, terms()),
      };
    },
  };
  const room: LevelRoom = { terms, fees: feesInForce };
  return { api, handlers: [listLevelsHandler(room), readLevelHandler(api, database, room, signInOf)] };
}
