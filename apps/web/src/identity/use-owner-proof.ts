import type { Failure } from '@sathorn/app/client';
import { failureText } from '@sathorn/app/client';
import { useText } from '@sathorn/ui';
import { useState } from 'react';
import { usePaymentPasswordFault } from '../parts/forms/use-payment-password-fault.ts';

interface Refused {
  readonly sentence: string;
  readonly attempt: number;
  readonly of: 'paypass' | 'otp';
}

const CODE_REFUSALS = new Set(['second_factor_required', 'second_factor_wrong', 'second_factor_delayed']);

/**
 * State of the sheet that asks for the payment password and the second factor: whether it is open, and the last error.
 */
export function useOwnerProof(hasSecondFactor: boolean) {
  const texts = useText();
  const pinFault = usePaymentPasswordFault();
  const [isOpen, setOpen] = useState(false);
  const [refused, setRefused] = useState<Refused | null>(null);
  // For a customer with a passkey but no authenticator app, the need for a code shows only in the refusal.
  const [wasAsked, setAsked] = useState(false);

  const ask = () => {
    setRefused(null);
    setOpen(true);
  };
  const close = () => setOpen(false);
  /** Returns true if the refusal concerns the proof; the sheet then shows it. */
  const takeRefusal = (failure: Failure): boolean => {
    const attempt = (refused?.attempt ?? 0) + 1;
    if (failure.code === 'paypass_wrong' || failure.code === 'paypass_locked') {
      setRefused({ sentence: pinFault(failure), attempt, of: 'paypass' });
      return true;
    }
    if (CODE_REFUSALS.has(failure.code)) {
      setAsked(true);
      setRefused({ sentence: failureText(failure, texts), attempt, of: 'otp' });
      return true;
    }
    setOpen(false);
    return false;
  };
  return { isOpen, ask, close, refused, takeRefusal, asksCode: hasSecondFactor || wasAsked };
}
