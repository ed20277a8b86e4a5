import { Sheet } from '@sathorn/ui';
import { useEffect } from 'react';
import { LatePinSteps, preloadPinSteps } from '../parts/forms/late-pin-steps.tsx';

interface PaymentSheetProps {
  open: boolean;
  onClose: () => void;
  /** What is about to be done, in words. */
  title: string;
  onPin: (pin: string) => void;
  busy: boolean;
  /** What was wrong with the last one. Another try is another object. */
  refused: { readonly sentence: string; readonly attempt: number } | null;
}

/** Asks for the payment password, with what it is asked for above the keypad. */
export function PaymentSheet({ open, onClose, title, onPin, busy, refused }: PaymentSheetProps) {
  useEffect(preloadPinSteps, []);
  return (
    <Sheet open={open} onClose={onClose} title={title} blocking={busy}>
      {open && (
        <LatePinSteps
          key={refused?.attempt ?? 0}
          steps={['own']}
          onDone={({ current }) => onPin(current)}
          error={refused?.sentence}
          busy={busy}
        />
      )}
    </Sheet>
  );
}
