import { Button, Sheet, TextField, useText } from '@sathorn/ui';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { LatePinSteps, preloadPinSteps } from '../parts/forms/late-pin-steps.tsx';
import { hasPasskeySupport } from '../parts/forms/passkeys.ts';
import { latinDigits } from '../parts/forms/phone-number.ts';

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
  /** Asks for a code of the authenticator app first. */
  asksCode: boolean;
  /** Asks only for the code and not for the payment password. */
  codeOnly?: boolean;
  /** Also accepts a recovery code. */
  takesRecoveryCode?: boolean;
  /** Asks for a passkey instead of the code; returns null if it was cancelled. */
  onPasskey?: (() => Promise<string | null>) | undefined;
  onProof: (proof: OwnerProof) => void;
  busy: boolean;
  /** The error of the last attempt. Each attempt is a new object, so that a repeated error is shown again. */
  refused: { readonly sentence: string; readonly attempt: number; readonly of: 'paypass' | 'otp' } | null;
}

/** Asks for the second factor, if there is one, and then for the payment password, with the operation written above. */
export function OwnerSheet(props: OwnerSheetProps) {
  const { open, onClose, title, children, asksCode, onPasskey, onProof, busy, refused } = props;
  const { codeOnly = false, takesRecoveryCode = false } = props;
  const { t } = useText<'identity'>();
  useEffect(preloadPinSteps, []);
  const [otp, setOtp] = useState<string>();
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal asks for a new code, also where it is the same.
  useEffect(() => {
    setOtp(undefined);
    setTyped('');
    setFault(refused?.of === 'otp' ? refused.sentence : undefined);
  }, [refused, open]);

  const take = (event: FormEvent) => {
    event.preventDefault();
    const code = latinDigits(typed.replace(/\s/g, ''));
    const isCode = takesRecoveryCode ? /^[A-Za-z0-9-]{6,24}$/.test(code) : /^[0-9]{6}$/.test(code);
    if (!isCode) setFault(t('owner.code_malformed'));
    else if (codeOnly) onProof({ paypass: '', otp: code });
    else setOtp(code);
  };
  const askPasskey = async () => {
    const proof = await onPasskey?.();
    if (proof) setOtp(proof);
  };
  const needsCode = asksCode && otp === undefined;
  return (
    <Sheet open={open} onClose={onClose} title={title} blocking={busy}>
      {open && (
        <div className="stack">
          {children}
          {needsCode ? (
            <form className="stack" noValidate onSubmit={take}>
              <TextField
                label={t('owner.code')}
                name="otp"
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                error={fault}
                inputMode={takesRecoveryCode ? 'text' : 'numeric'}
                autoComplete="one-time-code"
                dir="ltr"
              />
              <Button type="submit" busy={busy}>
                {t('owner.next')}
              </Button>
              {onPasskey && hasPasskeySupport() && (
                <Button look="soft" icon="key" onClick={() => void askPasskey()}>
                  {t('owner.passkey')}
                </Button>
              )}
            </form>
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
