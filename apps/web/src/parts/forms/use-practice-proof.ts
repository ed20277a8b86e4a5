import { practiceOf } from '@sathorn/app/practice';
import { useEffect, useRef } from 'react';

/** Any six digits: a practice platform asks for no payment password, but its calls have the field. */
const NO_PIN = '000000';

/** True on a practice platform, where a sheet that opens to ask for a password confirms at once instead. */
export function usePracticeProof(isOpen: boolean, confirm: (pin: string) => void): boolean {
  const newest = useRef(confirm);
  newest.current = confirm;
  useEffect(() => {
    if (practiceOf !== null && isOpen) newest.current(NO_PIN);
  }, [isOpen]);
  return practiceOf !== null;
}
