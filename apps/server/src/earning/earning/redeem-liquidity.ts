import { redeemLiquidity } from '@sathorn/api';
import { refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Earning, PaymentPasswords } from './earning.ts';

/** Requires the payment password, once per operation: a repeated request gets its first answer. */
export function redeemLiquidityHandler(
  earning: Earning,
  passwords: PaymentPasswords,
  isPosted: (journal: string) => Promise<boolean>,
): Handler {
  return handle(redeemLiquidity, async ({ customer: { id: customer }, request, intent, now }) => {
    const { amount, speed, quote = null, paypass } = request;
    const command = { customer, amount, speed, quote };
    const check = async () => {
      // Checks everything else first, so that a wrong amount does not use up a try of the password.
      const quoted = await earning.quoteRedemption(command, now);
      if (!quoted.ok) return quoted;
      if (!(await passwords.hasPaymentPassword(customer))) return refuse('paypass_not_set');
      const checked = await passwords.checkPaymentPassword(customer, paypass, now);
      return checked.ok || checked.refusal === 'paypass_locked' ? checked : { ...checked, field: 'paypass' };
    };
    if (!(await isPosted(intent.id))) {
      const checked = await check();
      // An equal request may have been accepted in between; then this one gets the same answer.
      if (!checked.ok && !(await isPosted(intent.id))) return checked;
    }
    return earning.redeem(command, intent);
  });
}
