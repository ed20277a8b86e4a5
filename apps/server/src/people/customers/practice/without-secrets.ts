import { accept } from '@sathorn/settlement';
import type { PaymentPasswords } from '../passwords/payment-tries.ts';
import type { SecondFactor } from '../second-factor/second-factor.ts';

/** Practice accounts have neither passwords nor factors: whoever has the session may do everything with play money. */
export const WITHOUT_PAYMENT_PASSWORDS: PaymentPasswords = { check: async () => accept(null) };
export const WITHOUT_FACTORS: Pick<SecondFactor, 'hasFactor' | 'checkOperation'> = {
  hasFactor: async () => true,
  checkOperation: async () => accept(null),
};
