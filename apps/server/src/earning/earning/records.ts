import type { LiquidityRecord, LockupOrder } from '@sathorn/api';
import { formatMoney, formatRate, type Rate } from '@sathorn/money';
import { lockupEarned, NORMAL_REDEMPTION_DAYS } from '@sathorn/settlement';
import { dateText, INCOME_CREDITED_MINUTES, type LocalDays } from '../../platform/local-day.ts';
import type { IncomeRow, LiquidityMovement, LockupRow, StoredLockup } from './earning-store.ts';
import { usdtText } from './yield-fund.ts';

const DAY_MS = 86_400_000;

/** The latest time at which a normal redemption arrives. */
export const latestRedemptionArrival = (at: Date): Date => new Date(at.getTime() + NORMAL_REDEMPTION_DAYS * DAY_MS);

const standingOf = (kind: 'renewal' | 'deposits', { standing, source }: Pick<LockupRow, 'standing' | 'source'>) =>
  standing === null || source === null ? null : { id: standing, kind, source };

type RecordedMovement = Pick<
  LiquidityMovement,
  'id' | 'kind' | 'amount' | 'day' | 'at' | 'issued_at' | 'standing' | 'source'
>;

export function movementRecordOf(movement: RecordedMovement): LiquidityRecord {
  const { id, kind, amount, day, at, issued_at } = movement;
  const isPending = kind === 'normal' && issued_at === null;
  return {
    type: 'liquidity',
    id,
    kind: kind === 'subscription' ? 'subscription' : 'redemption',
    speed: kind === 'subscription' ? null : kind,
    amount: formatMoney(amount),
    state: isPending ? 'pending' : 'confirmed',
    at: at.toISOString(),
    day: dateText(kind === 'subscription' ? day + 1 : day),
    latest_at: isPending ? latestRedemptionArrival(at).toISOString() : null,
    standing: standingOf('deposits', movement),
  };
}

/** An income's record has the date on which it is credited; it is pending until then. */
export const incomeRecordOf = ({ day, units, isPaid }: IncomeRow, days: LocalDays): LiquidityRecord => ({
  type: 'liquidity',
  id: String(day),
  kind: 'interest',
  speed: null,
  amount: usdtText(units),
  state: isPaid ? 'confirmed' : 'pending',
  at: days.momentOf(day + 1, INCOME_CREDITED_MINUTES).toISOString(),
  day: dateText(day),
  latest_at: null,
  standing: null,
});

export const dayIncomeView = ({ day, units, isPaid }: IncomeRow) => ({
  day: dateText(day),
  income: usdtText(units),
  state: isPaid ? ('paid' as const) : ('waiting' as const),
});

/** `daysPaid` is how many of the order's days have been credited. */
export function lockupOrderOf(
  row: LockupRow & Pick<StoredLockup, 'matured_at' | 'is_renewal'>,
  daysPaid: number,
): LockupOrder {
  const terms = { principal: row.principal.units, dailyRate: row.daily_rate as Rate };
  return {
    type: 'regular',
    id: row.id,
    product: String(row.product),
    amount: formatMoney(row.principal),
    days: row.days,
    daily_rate: formatRate(terms.dailyRate),
    daily_income: usdtText(lockupEarned(terms, 1)),
    earned: usdtText(lockupEarned(terms, daysPaid)),
    total_income: formatMoney(row.yield),
    days_paid: daysPaid,
    start_date: dateText(row.start_day),
    end_date: dateText(row.end_day),
    at: row.subscribed_at.toISOString(),
    status: row.matured_at === null ? 'processing' : 'complete',
    standing: standingOf(row.is_renewal ? 'renewal' : 'deposits', row),
  };
}
