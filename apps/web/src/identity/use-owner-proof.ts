import type { Failure } from '@sathorn/app/client';
import { failureText } from '@sathorn/app/client';
import { useText } from '@sathorn/ui';
import { useState } from 'react';
import { factorFault } from '../parts/forms/factor-sheet.tsx';
import { usePaymentPasswordFault } from '../parts/forms/use-payment-password-fault.ts';

interface Refused {
  readonly sentence: string | undefined;
  readonly attempt: number;
  readonly of: 'paypass' | 'otp';
}

/**
 * State of the sheet that asks for the payment password and the second factor: whether it is open, and the last error.
 */
export function useOwnerProof(hasSecondFactor: boolean) {
  const texts = useText();
  const pinFault = usePaymentPasswordFault();
  const [isOpen, setOpen] = useState(false);
  const [refused, setRefused] = useState<Refused | null>(null);
  // The customer may have added the factor on another device meanwhile; then only the refusal reveals it.
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
    const fault = factorFault(failure, failureText(failure, texts));
    if (fault) {
      setAsked(true);
      setRefused({ ...fault, attempt, of: 'otp' });
      return true;
    }
    setOpen(false);
    return false;
  };
  return { isOpen, ask, close, refused, takeRefusal, asksCode: hasSecondFactor || wasAsked };
}
