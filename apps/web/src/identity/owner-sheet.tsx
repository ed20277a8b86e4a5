import { Sheet } from '@sathorn/ui';
import { type ReactNode, useEffect, useState } from 'react';
import { FactorStep } from '../parts/forms/factor-step.tsx';
import { LatePinSteps, preloadPinSteps } from '../parts/forms/late-pin-steps.tsx';
import type { ProvenOperation } from '../parts/forms/passkeys.ts';
import { usePracticeProof } from '../parts/forms/use-practice-proof.ts';

export interface OwnerProof {
  readonly paypass: string;
  readonly otp?: string;
}

interface OwnerSheetProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** The operation to confirm, shown above the keypad. */
  children?: ReactNode;
  /** Asks for the second factor first: a code of the authenticator app, or a passkey for this operation. */
  asksCode?: boolean;
  /** The operation and subject that a passkey confirms, exactly as the server will check them. */
  factor?: { readonly operation: ProvenOperation; readonly subject: string } | undefined;
  /** Asks only for the code and not for the payment password. */
  codeOnly?: boolean;
  /** Also accepts a recovery code. */
  takesRecoveryCode?: boolean;
  onProof: (proof: OwnerProof) => void;
  busy: boolean;
  /** The error of the last attempt. Each attempt is a new object, so that a repeated error is shown again. */
  refused: { readonly sentence: string | undefined; readonly attempt: number; readonly of: 'paypass' | 'otp' } | null;
}

/** Asks for the second factor, if there is one, and then for the payment password, with the operation written above. */
export function OwnerSheet(props: OwnerSheetProps) {
  const { open, onClose, title, children, asksCode = false, factor, onProof, busy, refused } = props;
  const { codeOnly = false, takesRecoveryCode = false } = props;
  useEffect(preloadPinSteps, []);
  const [otp, setOtp] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal needs a new code, even an equal one.
  useEffect(() => setOtp(undefined), [refused, open]);
  if (usePracticeProof(open, (paypass) => onProof({ paypass }))) return null;
  const needsCode = factor !== undefined && asksCode && otp === undefined;
  return (
    <Sheet open={open} onClose={onClose} title={title} blocking={busy}>
      {open && (
        <div className="stack">
          {children}
          {needsCode ? (
            <FactorStep
              key={refused?.attempt ?? 0}
              {...factor}
              takesRecoveryCode={takesRecoveryCode}
              fault={refused?.of === 'otp' ? refused.sentence : undefined}
              onProof={(given) => (codeOnly ? onProof({ paypass: '', otp: given }) : setOtp(given))}
              busy={busy}
            />
          ) : (
            <LatePinSteps
              key={refused?.attempt ?? 0}
              steps={['own']}
              onDone={({ current }) => onProof({ paypass: current, ...(otp !== undefined && { otp }) })}
              error={refused?.of === 'paypass' ? refused.sentence : undefined}
              busy={busy}
            />
          )}
        </div>
      )}
    </Sheet>
  );
}
