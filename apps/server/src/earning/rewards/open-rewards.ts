import { type AssetCode, formatMoney, money } from '@sathorn/money';
import { decideRelease, decideReward, hasReward, ladderRungOn, rewardOfRung } from '@sathorn/settlement';
import { HOUSE_OWNER, type PurposeName } from '../../ledger/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import { dateText, localDays } from '../../platform/local-day.ts';
import { type Module, sweepJob } from '../../platform/module.ts';
import { grantPoints } from './grant-points.ts';
import {
  insertLadder,
  readLadders,
  readLockedCustomers,
  readLockedRewards,
  readSignedDays,
  releaseLockedRewards,
} from './reward-store.ts';
import type { Rewards, RewardsDependencies } from './rewards.ts';
import { signInDailyHandler } from './sign-in-daily.ts';
import { REWARDS_USDT_ACCOUNT, signInKind } from './sign-in-kind.ts';
import { ladderOnDay } from './sign-in-ladder.ts';

/** The number of days that includes the first day of the previous month and the start of a long streak. */
const CALENDAR_DAYS = 62;
const FUNDINGS_MAX = 500;
const FUNDING: ReadonlySet<PurposeName> = new Set(['capital_paid_in', 'pool_funded', 'demo_funding']);

export function openRewards({
  database,
  ledger,
  timeZone,
  clock,
  lock,
  onFault,
}: RewardsDependencies): Module<Rewards> {
  const days = localDays(timeZone);
  const kind = signInKind(days, lock);
  const certifiedOf = async (queries: Queries, customer: bigint) =>
    (await lock.certifiedAmong(queries, [customer])).has(customer) ? 'primary' : 'none';
  const placeFor = async (queries: Queries, customer: bigint) =>
    lock.isOn() ? decideReward({ isLocking: true, certified: await certifiedOf(queries, customer) }) : 'spot';

  const readFund = async () => {
    const [house, paidIn] = await Promise.all([
      ledger.balances(HOUSE_OWNER),
      ledger.statement(REWARDS_USDT_ACCOUNT, 'in', null, FUNDINGS_MAX),
    ]);
    const available = (asset: AssetCode): string => {
      const fund = house.find(({ account }) => account.name === 'rewards' && account.asset === asset);
      return formatMoney(money(asset, fund?.available ?? 0n));
    };
    const funded = paidIn.reduce((sum, { transfer, change }) => (FUNDING.has(transfer.code) ? sum + change : sum), 0n);
    return {
      usdt: available('USDT'),
      usdt_funded: formatMoney(money('USDT', funded)),
      points: available('POINTS'),
    };
  };

  const api: Rewards = {
    async signInState(customer, now) {
      const today = days.dayOf(now);
      const ladder = ladderOnDay(await readLadders(database), today);
      if (ladder === undefined) return null;
      const [signed, balances, fund, locked, place] = await Promise.all([
        readSignedDays(database, customer, today - CALENDAR_DAYS),
        ledger.balances(customer),
        readFund(),
        readLockedRewards(database, customer),
        placeFor(database, customer),
      ]);
      const score = balances.find(({ account }) => account.name === 'spot' && account.asset === 'POINTS');
      const last = signed.at(-1);
      const isSignedToday = last !== undefined && last.day >= today;
      const isInRow = last !== undefined && last.day >= today - 1;
      let since = isInRow ? last.day : null;
      for (const { day } of [...signed].reverse()) if (since !== null && day === since - 1) since = day;
      return {
        today: dateText(today),
        days: isInRow ? last.rung : 0,
        signed_today: isSignedToday,
        rung: isSignedToday ? last.rung : ladderRungOn(last, today),
        ladder: ladder.points.map((_, n) => {
          const { points, usdt } = rewardOfRung(ladder, n + 1);
          return { day: n + 1, points: formatMoney(points), usdt: formatMoney(usdt) };
        }),
        score: formatMoney(money('POINTS', score?.available ?? 0n)),
        locked:
          place === 'restricted' || hasReward(locked)
            ? { points: formatMoney(locked.points), usdt: formatMoney(locked.usdt) }
            : null,
        calendar: signed.map(({ day }) => dateText(day)),
        since: since === null ? null : dateText(since),
        fund,
        version: ladder.version,
        effective_from: dateText(ladder.effectiveDay),
        next_day_at: days.momentOf(today + 1, 0).toISOString(),
      };
    },
    signIn: (customer, intent) => ledger.post(kind, { customer, isLocking: lock.isOn() }, intent),
    grantPoints: async (grant, now) => grantPoints(ledger, grant, await placeFor(database, grant.customer), now),
    async release(transaction, customer) {
      const locked = await readLockedRewards(transaction, customer);
      const decision = decideRelease({ certified: await certifiedOf(transaction, customer), locked });
      return decision.ok && releaseLockedRewards(transaction, customer);
    },
    async releaseDue() {
      let after = 0n;
      for (let some = await readLockedCustomers(database, after); some.length > 0; ) {
        for (const customer of await lock.certifiedAmong(database, some))
          await ledger
            .payMany(async (transaction) =>
              (await api.release(transaction, customer)) ? new Set([customer]) : new Set<bigint>(),
            )
            .catch(onFault);
        after = some.at(-1) ?? after;
        some = await readLockedCustomers(database, after);
      }
    },
    isLocked: async (queries, customer) => (await placeFor(queries, customer)) === 'restricted',
    ladders: () => readLadders(database),
    dayOf: days.dayOf,
    async addLadder(transaction, { points, usdt }, effectiveDay, approval, now) {
      const version = 1 + (await readLadders(transaction)).length;
      // Never starts on a past day, because check-ins of past days keep their ladder.
      const from = Math.max(effectiveDay, days.dayOf(now));
      await insertLadder(transaction, { version, effectiveDay: from, points, usdt }, approval);
    },
    async offerDemo({ points, usdt }, now) {
      if ((await readLadders(database)).length > 0) return;
      await insertLadder(database, { version: 1, effectiveDay: days.dayOf(now), points, usdt }, null);
    },
  };
  return { api, handlers: [signInDailyHandler(api)], jobs: [sweepJob(clock, onFault, () => api.releaseDue())] };
}
