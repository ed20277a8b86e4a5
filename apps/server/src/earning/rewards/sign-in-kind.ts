import { add, formatMoney, money } from '@sathorn/money';
import { accept, decideReward, decideSignIn, type SignedDay, type SignInRefusal } from '@sathorn/settlement';
import { customerAccount, houseAccount, type LoadedKind, type Transfer } from '../../ledger/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import { dateText, type LocalDays } from '../../platform/local-day.ts';
import { insertSignIns, readLadders, readLastSignIns, type SignInRow } from './reward-store.ts';
import { ladderOnDay, type SignInLadder } from './sign-in-ladder.ts';

export const REWARDS_USDT_ACCOUNT = houseAccount('rewards', 'USDT');
export const REWARDS_POINTS_ACCOUNT = houseAccount('rewards', 'POINTS');

/** The brand's lock on rewards until the certification, and which customers are certified. */
export interface RewardLock {
  isOn(): boolean;
  certifiedAmong(queries: Queries, customers: readonly bigint[]): Promise<ReadonlySet<bigint>>;
}
interface SignInCommand {
  readonly customer: bigint;
  /** The lock at the time of the sign-in. */
  readonly isLocking: boolean;
}

interface SignInContext {
  /** Empty if nothing is locked. */
  readonly certified: ReadonlySet<bigint>;
  readonly ladders: readonly SignInLadder[];
  /** Each customer's last sign-in day, including the sign-ins of this batch. */
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

/**
 * Once per local day, decided under the ledger's lock by the database's time: two devices at midnight, or a clock that
 * was set back, get one reward. The table's key enforces this too.
 */
export function signInKind(
  days: LocalDays,
  lock: RewardLock,
): LoadedKind<SignInCommand, SignInContext, SignInAnswer, SignInRefusal | 'account_frozen'> {
  return {
    name: 'rewards.sign_in',
    customer: ({ customer }) => customer,
    accounts: ({ customer, isLocking }) => [
      REWARDS_USDT_ACCOUNT,
      REWARDS_POINTS_ACCOUNT,
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
      const ladder = ladderOnDay(ladders, day);
      const decided = decideSignIn({
        ladder,
        day,
        last: last.get(customer),
        available: {
          points: money('POINTS', funds.available(REWARDS_POINTS_ACCOUNT)),
          usdt: money('USDT', funds.available(REWARDS_USDT_ACCOUNT)),
        },
      });
      if (!decided.ok) return decided;
      const { rung, points, usdt, missed } = decided.effect;
      last.set(customer, { day, rung });
      rows.set(intent.id, {
        customer_id: customer,
        day,
        id: intent.id,
        rung,
        version: ladder?.version ?? 0,
        points,
        usdt,
        at: now,
      });
      const place = decideReward({ isLocking, certified: certified.has(customer) ? 'primary' : 'none' });
      const isLocked = place === 'restricted';
      const before = money('POINTS', funds.available(customerAccount(customer, 'POINTS')));
      const transfers: Transfer[] = [];
      if (points.units > 0n)
        transfers.push({
          kind: 'single',
          debit: REWARDS_POINTS_ACCOUNT,
          credit: customerAccount(customer, 'POINTS', place),
          units: points.units,
          code: 'sign_in_reward',
        });
      if (usdt.units > 0n)
        transfers.push({
          kind: 'single',
          debit: REWARDS_USDT_ACCOUNT,
          credit: customerAccount(customer, 'USDT', place),
          units: usdt.units,
          code: 'sign_in_reward',
        });
      return accept({
        transfers,
        answer: {
          days: rung,
          day: dateText(day),
          points: formatMoney(points),
          usdt: formatMoney(usdt),
          usdt_missed: formatMoney(missed),
          score: formatMoney(isLocked ? before : add(before, points)),
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
