import { accept, type Decision, refuse } from '@sathorn/settlement';
import { lockCredential, renewCredential, resetTries, updateTries } from '../credential-store.ts';
import { notifyCustomer } from '../notify-customer.ts';
import type { Room } from '../room.ts';
import { chargePaymentTry, PAYMENT_TRIES_MAX } from './payment-tries.ts';

export interface PaymentPasswords {
  /** Makes one try. Parallel tries are counted one by one; at most five wrong ones are checked per day. */
  check(customer: bigint, paypass: string, now: Date): Promise<Decision<null, 'paypass_wrong' | 'paypass_locked'>>;
}

export function openPaymentPasswords(
  room: Pick<Room, 'database' | 'hasher' | 'messages' | 'onFault'>,
): PaymentPasswords {
  const { database, hasher } = room;
  return {
    check: async (customer, paypass, now) => {
      const charged = await database.transaction(async (transaction) => {
        const credential = await lockCredential(transaction, customer, 'payment');
        if (!credential) return null;
        const { hash, wrong, wrong_in_all: wrongInAll, locked_until: lockedUntil } = credential;
        const decision = chargePaymentTry({ wrong, wrongInAll, lockedUntil }, now);
        if (!decision.ok) return decision;
        await updateTries(transaction, customer, 'payment', decision.effect);
        return accept({ hash, tries: decision.effect });
      });
      // No payment password is set, so nothing can be right.
      if (charged === null) return refuse('paypass_wrong');
      if (!charged.ok) return charged;
      const { hash, tries } = charged.effect;

      const owner = { customer, kind: 'payment' } as const;
      const { isRight, isOutdated } = await hasher.verify(paypass, hash, owner);
      if (isRight) {
        await resetTries(database, customer, 'payment', hash);
        if (isOutdated) await renewCredential(database, customer, 'payment', hash, await hasher.hash(paypass, owner));
        return accept(null);
      }
      if (tries.lockedUntil)
        await notifyCustomer(room, customer, 'paypass_locked', { until: tries.lockedUntil.toISOString() }, now);
      return refuse('paypass_wrong', { params: { left: String(Math.max(0, PAYMENT_TRIES_MAX - tries.wrong)) } });
    },
  };
}
