import { money } from '@sathorn/money';
import { CONTRACT_FEES, FIRST_LEVEL_TERMS, lastingInflow, vipLevelOf, withdrawalDailyMax } from '@sathorn/settlement';
import type { Queries } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';
import type { Levels, LevelsDependencies, LevelsModule } from './levels.ts';
import { listLevelsHandler } from './list-levels.ts';
import { readLevelHandler } from './read-level.ts';

/** How long a level is cached, so a completed deposit takes effect within this time. */
const TRUST_MS = 5_000;
const KEPT_MAX = 50_000;

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
    const { counted, held } = lastingInflow(await flowsOf(queries, customer), clock.now());
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
  const module: LevelsModule = { terms, fees: feesInForce };
  return { api, handlers: [listLevelsHandler(module), readLevelHandler(api, database, module, signInOf)] };
}
