import { randomUUID } from 'node:crypto';
import { OWN_LIMITS, type OwnLimit } from '@sathorn/api';
import { formatDecimal, parseDecimal } from '@sathorn/money';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Module } from '../../platform/module.ts';
import type { Template, Templates } from '../messages/index.ts';
import { safeguardCalls } from './calls.ts';
import {
  addOwnLimitRow,
  addOwnPauseRow,
  addPlayedMinute,
  cancelOwnLimitRow,
  type GuardedStanding,
  lockGuard,
  readGuard,
  readGuardedStandings,
  readPausedCustomers,
  readPendingLimits,
  resetUnseenMinutes,
  setRealityMinutes,
} from './safeguard-store.ts';
import type { OwnPauseRefusal, Safeguards, SafeguardsDependencies } from './safeguards.ts';

/** The limits' maximum values: the largest amount that an account can hold, and the 1,440 minutes of a day. */
const MONEY_MAX = 1_000_000_000_000_000n;
const MINUTES_MAX = 1_440n;

const usdt = (units: bigint): string => formatDecimal(units, 6);
const textOf = (kind: OwnLimit, value: bigint): string => (kind === 'time_day' ? String(value) : usdt(value));

function valueIn({ limits }: GuardedStanding, kind: OwnLimit): bigint | null {
  if (kind === 'time_day') return limits.timeDay === null ? null : BigInt(limits.timeDay);
  if (kind === 'stake_option') return limits.stakeOption;
  if (kind === 'stake_day') return limits.stakeDay;
  return limits.loss[kind === 'loss_day' ? 'day' : kind === 'loss_week' ? 'week' : 'month'];
}

function usedIn({ lost, staked, largest, minutes }: GuardedStanding, kind: OwnLimit): bigint {
  if (kind === 'time_day') return BigInt(minutes);
  if (kind === 'stake_option') return largest;
  if (kind === 'stake_day') return staked;
  const loss = lost[kind === 'loss_day' ? 'day' : kind === 'loss_week' ? 'week' : 'month'];
  return loss > 0n ? loss : 0n;
}

function endOf({ ends }: GuardedStanding, kind: OwnLimit): string | null {
  if (kind === 'stake_option') return null;
  return ends[kind === 'loss_week' ? 'week' : kind === 'loss_month' ? 'month' : 'day'].toISOString();
}

export function openSafeguards(dependencies: SafeguardsDependencies): Module<Safeguards> {
  const { database, messages, timeZone, revokeOrders, onFault } = dependencies;
  const standingOf = async (customer: bigint): Promise<GuardedStanding | undefined> =>
    (await readGuardedStandings(database, [customer]))[0];
  const notify = async <Name extends Template>(
    customer: bigint,
    template: Name,
    params: Templates[Name],
    now: Date,
  ): Promise<void> => messages.send(customer, template, params, now).catch(onFault);

  const api: Safeguards = {
    async read(customer) {
      const [standing, guard, pending] = await Promise.all([
        standingOf(customer),
        readGuard(database, customer),
        readPendingLimits(database, customer),
      ]);
      return {
        limits: OWN_LIMITS.map((kind) => {
          const value = standing ? valueIn(standing, kind) : null;
          const waiting = pending.find((row) => row.kind === kind);
          return {
            kind,
            value: value === null ? null : textOf(kind, value),
            used: textOf(kind, standing ? usedIn(standing, kind) : 0n),
            until: standing ? endOf(standing, kind) : null,
            pending: waiting
              ? {
                  id: waiting.id,
                  value: waiting.value === null ? null : textOf(kind, waiting.value),
                  from: waiting.from_at.toISOString(),
                }
              : null,
          };
        }),
        reality_minutes: guard?.reality_minutes ?? null,
        pause: standing?.pause ? { kind: standing.pause.kind, until: standing.pause.until.toISOString() } : null,
        open_options: standing?.openOrders ?? 0,
      };
    },

    async setLimit(customer, kind, text, now) {
      const field = 'value';
      const isTime = kind === 'time_day';
      const value = text === null ? null : parseDecimal(text, isTime ? 0 : 6);
      if (value === undefined) return refuse('malformed_request', { field });
      if (value !== null && value <= 0n) return refuse('amount_not_positive', { field });
      const max = isTime ? MINUTES_MAX : MONEY_MAX;
      if (value !== null && value > max)
        return refuse('above_maximum', { field, params: { max: isTime ? String(max) : usdt(max) } });
      const begun = await database.transaction(async (transaction) => {
        await lockGuard(transaction, customer, timeZone);
        const [standing] = await readGuardedStandings(transaction, [customer]);
        const pending = await readPendingLimits(transaction, customer);
        // Setting the current limit again cancels a pending raise.
        const isSame = standing !== undefined && valueIn(standing, kind) === value;
        if (isSame && !pending.some((row) => row.kind === kind)) return null;
        return addOwnLimitRow(transaction, randomUUID(), customer, kind, value);
      });
      if (begun === null) return refuse('limit_unchanged', { field });
      const isWaiting = begun.from_at > begun.asked_at;
      if (isWaiting) await notify(customer, 'own_limit_raise', { until: begun.from_at.toISOString() }, now);
      else await notify(customer, 'own_limit_set', { at: begun.asked_at.toISOString() }, now);
      return accept(await api.read(customer));
    },

    async cancelLimit(customer, id) {
      if (!/^[0-9a-f-]{36}$/.test(id) || !(await cancelOwnLimitRow(database, id, customer)))
        return refuse('limit_unknown', { field: 'id' });
      return accept(await api.read(customer));
    },

    async pause(customer, kind, length, now) {
      const id = randomUUID();
      const begun = await database.transaction(
        async (transaction): Promise<Date | Decision<never, OwnPauseRefusal>> => {
          await lockGuard(transaction, customer, timeZone);
          const [standing] = await readGuardedStandings(transaction, [customer]);
          const pause = standing?.pause;
          // Nothing new can begin during a pause, except an exclusion that replaces a break.
          if (pause && (kind === 'time_out' || pause.kind === 'self_exclusion'))
            return refuse(pause.kind === 'time_out' ? 'time_out' : 'self_excluded', {
              params: { until: pause.until.toISOString() },
            });
          return addOwnPauseRow(transaction, id, customer, kind, length);
        },
      );
      if (!(begun instanceof Date)) return begun;
      await revokeOrders(customer, id).catch(onFault);
      const until = begun.toISOString();
      await notify(customer, kind === 'time_out' ? 'time_out_begun' : 'self_exclusion_begun', { until }, now);
      return accept(await api.read(customer));
    },

    async setReality(customer, minutes) {
      await database.transaction(async (transaction) => {
        await lockGuard(transaction, customer, timeZone);
        await setRealityMinutes(transaction, customer, minutes);
      });
      return api.read(customer);
    },

    async countMinute(customer) {
      if (!(await api.countsTime(customer))) return { counts: false, check: null };
      const before = await standingOf(customer);
      if (!before) return { counts: false, check: null };
      await addPlayedMinute(database, customer, before.day);
      const [guard, standing = before] = await Promise.all([readGuard(database, customer), standingOf(customer)]);
      const every = guard?.reality_minutes ?? null;
      const unseen = guard?.unseen_minutes ?? 0;
      if (every === null || unseen < every) return { counts: true, check: null };
      return {
        counts: true,
        check: {
          minutes: unseen,
          minutes_today: standing.minutes,
          staked: usdt(standing.staked),
          result: usdt(standing.openStakes - standing.lost.day),
          open: standing.openOrders,
        },
      };
    },

    answerCheck: (customer) => resetUnseenMinutes(database, customer),
    countsTime: async (customer) => (await readGuard(database, customer))?.counts_time ?? false,

    async refusalOf(customer) {
      const pause = (await standingOf(customer))?.pause;
      if (!pause) return null;
      const refusal = pause.kind === 'time_out' ? 'time_out' : 'self_excluded';
      return refuse(refusal, { params: { until: pause.until.toISOString() } });
    },
    readPaused: readPausedCustomers,
  };
  return {
    api,
    handlers: safeguardCalls(api),
  };
}
