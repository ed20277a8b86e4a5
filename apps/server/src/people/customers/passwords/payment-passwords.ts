import { accept, refuse } from '@sathorn/settlement';
import { REMEMBERED_SUBJECTS, RecentMap } from '../../../platform/recent-map.ts';
import { Semaphore } from '../../../platform/semaphore.ts';
import { lockCredential, readCredential, rehashCredential, updateCredentialTries } from '../credential-store.ts';
import type { CustomersModule } from '../customers.ts';
import { notifyCustomer } from '../notify-customer.ts';
import {
  judgePaymentTry,
  PAYMENT_TRIES_MAX,
  type PaymentPasswords,
  type PaymentTries,
  stricterTries,
} from './payment-tries.ts';

/** Digits compared with one stored hash; `isRight` is null if they were not, because the password was locked. */
interface Compared {
  readonly hash: string;
  readonly isRight: boolean | null;
  readonly isOutdated: boolean;
}

const lockedUntil = (until: Date) => refuse('paypass_locked' as const, { params: { until: until.toISOString() } });

export function openPaymentPasswords(
  module: Pick<CustomersModule, 'database' | 'hasher' | 'messages' | 'onFault'>,
): PaymentPasswords {
  const { database, hasher } = module;
  /**
   * Each customer has one comparison at a time, so that a flood of guesses meets the lock before it costs a hash each.
   */
  const turns = new Map<bigint, Semaphore>();
  /** The newest wrong tries of each password, whose counts in the database somebody may have set back. */
  const remembered = new RecentMap<string, PaymentTries>(REMEMBERED_SUBJECTS);
  // The key contains the hash, so swapping a hash out and back in does not reset its count.
  const rememberedAs = (customer: bigint, hash: string): string => `${customer} ${hash}`;
  /** Equal digits that arrive at the same time are compared once, but each try is counted. */
  const underWay = new Map<string, Promise<Compared | null>>();

  const compare = async (customer: bigint, paypass: string, now: Date): Promise<Compared | null> => {
    const credential = await readCredential(database, customer, 'payment');
    if (credential === null) return null;
    const { hash, wrong, wrong_in_all: wrongInAll, locked_until } = credential;
    const { lockedUntil: until } = stricterTries(
      { wrong, wrongInAll, lockedUntil: locked_until },
      remembered.get(rememberedAs(customer, hash)),
    );
    if (until !== null && until > now) return { hash, isRight: null, isOutdated: false };
    return { hash, ...(await hasher.verify(paypass, hash, { customer, kind: 'payment' })) };
  };
  const compareInTurn = (customer: bigint, paypass: string, now: Date): Promise<Compared | null> => {
    const key = `${customer} ${paypass}`;
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const turn = turns.get(customer) ?? new Semaphore(1);
    turns.set(customer, turn);
    const comparing = turn
      .run(() => compare(customer, paypass, now))
      .finally(() => {
        underWay.delete(key);
        if (turn.isIdle) turns.delete(customer);
      });
    underWay.set(key, comparing);
    return comparing;
  };

  return {
    async check(customer, paypass, now) {
      for (;;) {
        const compared = await compareInTurn(customer, paypass, now);
        // The customer has set no payment password, so no digits can be right.
        if (compared === null) return refuse('paypass_wrong');
        const { hash, isRight, isOutdated } = compared;
        const counted = await database.transaction(async (transaction) => {
          const credential = await lockCredential(transaction, customer, 'payment');
          // The password was changed in the meantime: these digits were compared with the old one.
          if (credential?.hash !== hash) return null;
          const { wrong, wrong_in_all: wrongInAll, locked_until } = credential;
          const before = stricterTries(
            { wrong, wrongInAll, lockedUntil: locked_until },
            remembered.get(rememberedAs(customer, hash)),
          );
          const judgment = judgePaymentTry(before, isRight === true, now);
          // The lock ended in the meantime.
          if (isRight === null && judgment.judged !== 'locked') return null;
          const isCounted = judgment.judged === 'wrong' || (judgment.judged === 'right' && before.wrongInAll > 0);
          if (isCounted) {
            remembered.set(rememberedAs(customer, hash), judgment.tries);
            await updateCredentialTries(transaction, customer, 'payment', judgment.tries);
          }
          return judgment;
        });
        if (counted === null) continue;
        const { judged, tries } = counted;
        if (judged === 'locked') return lockedUntil(tries.lockedUntil ?? now);
        if (judged === 'right') {
          const owner = { customer, kind: 'payment' } as const;
          if (isOutdated)
            await rehashCredential(database, customer, 'payment', hash, await hasher.hash(paypass, owner));
          return accept(null);
        }
        if (tries.lockedUntil)
          await notifyCustomer(module, customer, 'paypass_locked', { until: tries.lockedUntil.toISOString() }, now);
        return refuse('paypass_wrong', { params: { left: String(Math.max(0, PAYMENT_TRIES_MAX - tries.wrong)) } });
      }
    },
  };
}
