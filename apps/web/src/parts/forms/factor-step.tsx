import { readSecondFactor } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { normaliseCode } from '@sathorn/identity';
import { Button, TextField, useText } from '@sathorn/ui';
import { type FormEvent, useState } from 'react';
import { hasPasskeySupport, type ProvenOperation, provePasskey } from './passkeys.ts';

interface FactorStepProps {
  operation: ProvenOperation;
  /** The exact subject of the confirmation, as the server will check it. */
  subject: string;
  /** Also accepts a recovery code. */
  takesRecoveryCode?: boolean;
  /** The refusal of the last attempt. */
  fault: string | undefined;
  onProof: (otp: string) => void;
  busy: boolean;
}

/** Asks for a factor that this customer has: an authenticator code, or a passkey for this operation alone. */
export function FactorStep({ operation, subject, takesRecoveryCode = false, fault, onProof, busy }: FactorStepProps) {
  const { t } = useText();
  const { data } = useRead(readSecondFactor, {}, { freshForMs: 0 });
  const [typed, setTyped] = useState('');
  const [own, setOwn] = useState<string>();
  const [isProving, setProving] = useState(false);
  // Offers both until it is known which factors the customer has.
  const hasApp = data === undefined || data.authenticator_since !== null;
  const hasPasskey = data === undefined || data.passkeys.length > 0;

  const take = (event: FormEvent) => {
    event.preventDefault();
    const code = normaliseCode(typed);
    const isCode = takesRecoveryCode ? /^[A-Za-z0-9-]{6,24}$/.test(code) : /^[0-9]{6}$/.test(code);
    if (isCode) onProof(code);
    else setOwn(t('owner.code_malformed'));
  };
  const askPasskey = async () => {
    setProving(true);
    const proof = await provePasskey(operation, subject);
    setProving(false);
    if (proof === null) setOwn(t('owner.passkey_failed'));
    else onProof(proof);
  };
  const said = own ?? fault;
  return (
    <form className="stack" noValidate onSubmit={take}>
      {hasApp && (
        <>
          <TextField
            label={t('owner.code')}
            name="otp"
            value={typed}
            onChange={(event) => {
              setOwn(undefined);
              setTyped(event.target.value);
            }}
            error={said}
            inputMode={takesRecoveryCode ? 'text' : 'numeric'}
            autoComplete="one-time-code"
            dir="ltr"
          />
          <Button type="submit" busy={busy}>
            {t('owner.next')}
          </Button>
        </>
      )}
      {!hasApp && said !== undefined && <p role="alert">{said}</p>}
      {hasPasskey && hasPasskeySupport() && (
        <Button
          look={hasApp ? 'soft' : 'brand'}
          icon="key"
          busy={isProving || (busy && !hasApp)}
          onClick={() => void askPasskey()}
        >
          {t('owner.passkey')}
        </Button>
      )}
      {!hasApp && !hasPasskeySupport() && <p className="muted">{t('owner.passkey_elsewhere')}</p>}
    </form>
  );
}
