import { Sheet } from '@sathorn/ui';
import { useEffect } from 'react';
import { LatePinSteps, preloadPinSteps } from './late-pin-steps.tsx';
import { usePracticeProof } from './use-practice-proof.ts';

interface PaymentSheetProps {
  open: boolean;
  onClose: () => void;
  /** Describes the action to confirm. */
  title: string;
  onPin: (pin: string) => void;
  busy: boolean;
  /** The error of the last try. Each try is a new object, so that a repeated error is shown again. */
  refused: { readonly sentence: string; readonly attempt: number } | null;
}

/** Asks for the payment password; the action to confirm is shown above the keypad. */
export function PaymentSheet({ open, onClose, title, onPin, busy, refused }: PaymentSheetProps) {
  useEffect(preloadPinSteps, []);
  if (usePracticeProof(open, onPin)) return null;
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
