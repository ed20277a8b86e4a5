import { emptyPosition, type LiquidityPosition, liquidityIncome, positionOnDay } from '@sathorn/settlement';
import type { Queries } from '../../platform/database/index.ts';
import {
  readIncomes,
  readLastAccrual,
  readLiquidityPosition,
  readLiquidityRemainder,
  readPastLiquidityPositions,
} from './earning-store.ts';
import { LIQUIDITY_PRODUCT, type TermsCatalogue } from './earning-terms.ts';

/** A customer's liquidity as of now. */
export interface LiquidityStanding {
  readonly position: LiquidityPosition;
  /** The remainder that is carried into today's income, after the previous days are counted. */
  readonly carry: bigint;
  /** All income up to the last counted day. `waiting` is the part that is not paid yet. */
  readonly total: bigint;
  readonly waiting: bigint;
  /** The day of the first movement; null if there was none. */
  readonly firstDay: number | null;
}

/** A customer's liquidity today. Days that the accrual has not counted yet are computed by its own rule. */
export async function readLiquidityStanding(
  queries: Queries,
  catalogue: TermsCatalogue,
  customer: bigint,
  today: number,
): Promise<LiquidityStanding> {
  const [stored, past, last] = await Promise.all([
    readLiquidityPosition(queries, customer),
    readPastLiquidityPositions(queries, customer, -2_147_483_648),
    readLastAccrual(queries, LIQUIDITY_PRODUCT),
  ]);
  const current = stored ?? emptyPosition(today);
  const counted = last === undefined ? null : last.state === 'counting' ? last.day - 1 : last.day;
  const [income] = counted === null ? [] : await readIncomes(queries, LIQUIDITY_PRODUCT, customer, counted, counted);
  const rest = counted === null || income ? undefined : await readLiquidityRemainder(queries, customer, counted);
  let carry = income?.carryAfter ?? rest?.carry ?? 0n;
  const firstDay = past[0]?.day ?? (stored === undefined ? null : current.day);
  const states = [...past, current];
  for (let day = counted === null ? (firstDay ?? today) : counted + 1; day < today; day++) {
    const state = states.findLast((one) => one.day <= day);
    const terms = catalogue.liquidityOn(day);
    const base = state === undefined ? 0n : positionOnDay(state, day).earning;
    if (terms !== undefined && base > 0n) carry = liquidityIncome(base, terms.stages, carry).carryAfter;
  }
  return {
    position: positionOnDay(current, today),
    carry,
    total: income?.totalAfter ?? rest?.total ?? 0n,
    waiting: income && !income.isPaid ? income.units : 0n,
    firstDay,
  };
}
