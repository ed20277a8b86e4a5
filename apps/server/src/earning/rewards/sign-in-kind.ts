import { formatMoney, money } from '@sathorn/money';
import { accept, decideReward, refuse } from '@sathorn/settlement';
import { customerAccount, houseAccount, type LoadedKind, type Transfer } from '../../ledger/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import { dateText, type LocalDays } from '../../platform/local-day.ts';
import { type Ladder, ladderOn, rewardOf, rungOn, type SignedDay } from './ladder.ts';
import { insertSignIns, readLadders, readLastSignIns, type SignInRow } from './reward-store.ts';

export const REWARDS_USDT = houseAccount('rewards', 'USDT');
export const REWARDS_POINTS = houseAccount('rewards', 'POINTS');

export const usdtText = (units: bigint): string => formatMoney(money('USDT', units));
export const pointsText = (units: bigint): string => formatMoney(money('POINTS', units));

/** Whether a brand locks rewards until the certification, and who is certified. */
export interface RewardLock {
  isOn(): boolean;
  certifiedAmong(queries: Queries, customers: readonly bigint[]): Promise<ReadonlySet<bigint>>;
}
export interface SignInCommand {
  readonly customer: bigint;
  /** As it was when the customer signed in. */
  readonly isLocking: boolean;
}

interface SignInContext {
  /** Empty while nothing is locked. */
  readonly certified: ReadonlySet<bigint>;
  readonly ladders: readonly Ladder[];
  /** Each customer's last sign-in day, including those that this batch accepts. */
  readonly last: Map<bigint, SignedDay>;
  readonly rows: Map<string, SignInRow>;
}

export interface SignInAnswer {
  readonly days: number;
  readonly day: string;
  readonly points: string;
  readonly usdt: string;
  readonly usdt_missed: string;
  readonly score: string;
  readonly locked: boolean;
}

type SignInRefusal = 'account_frozen' | 'already_signed_in' | 'sign_in_closed' | 'reward_fund_empty';

/**
 * Once per local day, decided under the ledger's lock by the database's time: two devices at midnight, or a clock that
 * was set back, get one reward. The table's key enforces it too.
 */
export function signInKind(
  days: LocalDays,
  lock: RewardLock,
): LoadedKind<SignInCommand, SignInContext, SignInAnswer, SignInRefusal> {
  return {
    name: 'rewards.sign_in',
    customer: ({ customer }) => customer,
    accounts: ({ customer, isLocking }) => [
      REWARDS_USDT,
      REWARDS_POINTS,
      customerAccount(customer, 'USDT'),
      customerAccount(customer, 'POINTS'),
      ...(isLocking
        ? [customerAccount(customer, 'USDT', 'restricted'), customerAccount(customer, 'POINTS', 'restricted')]
        : []),
    ],

    async load(transaction, commands) {
      const locking = commands.filter(({ isLocking }) => isLocking).map(({ customer }) => customer);
      const [ladders, last, certified] = await Promise.all([
        readLadders(transaction),
        readLastSignIns(
          transaction,
          commands.map(({ customer }) => customer),
        ),
        locking.length === 0 ? new Set<bigint>() : lock.certifiedAmong(transaction, locking),
      ]);
      return { ladders, last, certified, rows: new Map() };
    },

    decide({ customer, isLocking }, funds, { context: { ladders, last, certified, rows }, now, intent }) {
      const day = days.dayOf(now);
      const ladder = ladderOn(ladders, day);
      if (ladder === undefined) return refuse('sign_in_closed');
      const before = last.get(customer);
      if (before !== undefined && before.day >= day) return refuse('already_signed_in');
      const rung = rungOn(before, day);
      const reward = rewardOf(ladder, rung);
      // Points are promised for every day. USDT is paid as far as the account allows, and the shortfall is shown.
      if (funds.available(REWARDS_POINTS) < reward.points) return refuse('reward_fund_empty');
      const usdt = funds.available(REWARDS_USDT) < reward.usdt ? 0n : reward.usdt;
      if (reward.points === 0n && usdt === 0n) return refuse('reward_fund_empty');
      last.set(customer, { day, rung });
      rows.set(intent.id, {
        customer_id: customer,
        day,
        id: intent.id,
        rung,
        version: ladder.version,
        points: reward.points,
        usdt,
        at: now,
      });
      const place = decideReward({ isLocking, certified: certified.has(customer) ? 'primary' : 'none' });
      const isLocked = place === 'restricted';
      const score = funds.available(customerAccount(customer, 'POINTS')) + (isLocked ? 0n : reward.points);
      const transfers: Transfer[] = [];
      if (reward.points > 0n)
        transfers.push({
          kind: 'single',
          debit: REWARDS_POINTS,
          credit: customerAccount(customer, 'POINTS', place),
          units: reward.points,
          code: 'sign_in_reward',
        });
      if (usdt > 0n)
        transfers.push({
          kind: 'single',
          debit: REWARDS_USDT,
          credit: customerAccount(customer, 'USDT', place),
          units: usdt,
          code: 'sign_in_reward',
        });
      return accept({
        transfers,
        answer: {
          days: rung,
          day: dateText(day),
          points: pointsText(reward.points),
          usdt: usdtText(usdt),
          usdt_missed: usdtText(reward.usdt - usdt),
          score: pointsText(score),
          locked: isLocked,
        },
      });
    },

    write(transaction, { accepted, context: { rows } }) {
      const written = accepted.map(({ intent }) => rows.get(intent.id)).filter((row) => row !== undefined);
      if (written.length !== accepted.length) throw new Error('a sign-in lost its row');
      return written.length === 0 ? [] : [insertSignIns(transaction, written)];
    },
  };
}
