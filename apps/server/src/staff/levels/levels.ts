import type { SignInState } from '@sathorn/api';
import type { Money } from '@sathorn/money';
import type { CertifiedLevel, ContractFees, LevelTerms, MoneyFlow } from '@sathorn/settlement';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';

export interface LevelsDependencies {
  readonly database: Database;
  readonly clock: Clock;
  /** Deposits and withdrawals, in units of USDT. */
  readonly flowsOf: (queries: Queries, customer: bigint) => Promise<readonly MoneyFlow[]>;
  readonly certifiedOf: (queries: Queries, customer: bigint) => Promise<CertifiedLevel>;
  /** Null if the brand has no daily sign-in. */
  readonly signInOf: (customer: bigint, now: Date) => Promise<SignInState | null>;
  /** Levels and fees in force; by default the first version. */
  readonly terms?: () => LevelTerms;
  readonly fees?: () => readonly ContractFees[];
}

export interface LevelsModule {
  readonly terms: () => LevelTerms;
  readonly fees: () => readonly ContractFees[];
}

/** A customer's level and what it grants. */
export interface LevelStanding {
  readonly level: number;
  /** The net inflow that was held for the published days. */
  readonly deposited: Money<'USDT'>;
  /** Net inflow that will count after the published days, if it is not withdrawn. */
  readonly waiting: Money<'USDT'>;
  readonly certified: CertifiedLevel;
  readonly fees: ContractFees;
  /** The limit in USDT per day, which depends on certification and level. */
  readonly withdrawalDailyMax: Money<'USDT'>;
}

/**
 * Levels are computed from deposits and withdrawals, and never stored. So a reversed deposit lowers the level, nobody
 * can be given one, and money that circulates does not raise it.
 */
export interface Levels {
  /** The level, from 0, for fees. At most five seconds old. */
  levelOf(customer: bigint): Promise<number>;
  /** The current standing, for withdrawal limits, read in their transaction. */
  standingOf(queries: Queries, customer: bigint): Promise<LevelStanding>;
}
