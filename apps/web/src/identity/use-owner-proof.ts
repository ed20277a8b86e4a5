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

/** The sheet that asks for payment password and second factor: is it open, and what was wrong with the last try. */
export function useOwnerProof(hasSecondFactor: boolean) {
  const texts = useText();
  const pinFault = usePaymentPasswordFault();
  const [isOpen, setOpen] = useState(false);
  const [refused, setRefused] = useState<Refused | null>(null);
  // A customer with a passkey and no app learns it from the refusal.
  const [wasAsked, setAsked] = useState(false);

  const ask = () => {
    setRefused(null);
    setOpen(true);
  };
  const close = () => setOpen(false);
  /** True when the refusal was about the proof, and the sheet shows it. */
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
