import {
  confirmSecondFactor,
  OWN_SUBJECT,
  readSecondFactor,
  startSecondFactor,
  stopSecondFactor,
  type User,
} from '@sathorn/api';
import { failureText, readQueryKey, useCall } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { normaliseCode } from '@sathorn/identity';
import { Button, Card, TextField, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { AccountGate } from '../parts/account/account-gate.tsx';
import { StateHead } from '../parts/account/state-head.tsx';
import { useAccount } from '../parts/account/use-account.ts';
import { CopyMark } from '../parts/money/copy.tsx';
import { qrPath } from '../parts/money/qr-path.ts';
import { type AccountGuards, GuardsGate } from './guards-gate.tsx';
import { IdentityTexts } from './identity-texts.tsx';
import { type OwnerProof, OwnerSheet } from './owner-sheet.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useOwnerProof } from './use-owner-proof.ts';
import './security.css';

/** `#/pages/mine/security/authenticator`: turns the authenticator app on or off. */
export default function Authenticator() {
  return (
    <IdentityTexts>
      <AccountGate>{(user) => <GuardsGate>{(guards) => <Page user={user} guards={guards} />}</GuardsGate>}</AccountGate>
    </IdentityTexts>
  );
}

function Page({ user, guards }: { user: User; guards: AccountGuards }) {
  const texts = useText();
  const { t } = useText<'identity'>();
  const { back } = useNavigation();
  const { refresh } = useAccount();
  const queries = useQueryClient();
  const proof = useOwnerProof(user.second_factor);
  const start = useCall(startSecondFactor, { quiet: true });
  const confirm = useCall(confirmSecondFactor, { quiet: true });
  const stop = useCall(stopSecondFactor, { quiet: true });
  const [begun, setBegun] = useState<{ key: string; uri: string } | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [otp, setOtp] = useState('');
  const [fault, setFault] = useState<string>();
  const changed = () => {
    refresh();
    void queries.invalidateQueries({ queryKey: readQueryKey(readSecondFactor) });
  };

  const begin = async ({ paypass, otp: given }: OwnerProof) => {
    const answer = await start.submit({ paypass, ...(given && { otp: given }) });
    if (!answer.ok) {
      if (!proof.takeRefusal(answer)) showToast(failureText(answer, texts), 'danger');
      return;
    }
    proof.close();
    setBegun(answer.data);
  };
  const turnOff = async ({ paypass, otp: code = '' }: OwnerProof) => {
    const answer = await stop.submit({ paypass, otp: code });
    if (!answer.ok) {
      if (!proof.takeRefusal(answer)) showToast(failureText(answer, texts), 'danger');
      return;
    }
    proof.close();
    changed();
    back();
  };
  const turnOn = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await confirm.submit({ otp: normaliseCode(otp) });
    if (!answer.ok) return setFault(failureText(answer, texts));
    setCodes(answer.data.recovery_codes);
    changed();
  };

  if (codes) return <RecoveryCodes codes={codes} onKept={back} />;
  const isOn = guards.authenticator_since !== null;
  return (
    <>
      {begun ? (
        <form className="page form-page" noValidate onSubmit={(event) => void turnOn(event)}>
          <Card className="stack">
            <h2>{t('second.scan')}</h2>
            <Qr payload={begun.uri} label={t('second.qr')} />
            <p className="muted">{t('second.key')}</p>
            <p className="row">
              <bdi className="mono second-key" dir="ltr">
                {begun.key.match(/.{1,4}/g)?.join(' ')}
              </bdi>
              <CopyMark text={begun.key} label={t('second.key')} />
            </p>
          </Card>
          <Card>
            <TextField
              label={t('second.code')}
              name="otp"
              value={otp}
              onChange={(event) => {
                setFault(undefined);
                setOtp(event.target.value);
              }}
              error={fault}
              inputMode="numeric"
              autoComplete="one-time-code"
              dir="ltr"
            />
          </Card>
          <Button type="submit" busy={confirm.isBusy}>
            {t('second.turn_on')}
          </Button>
        </form>
      ) : (
        <div className="page">
          <Card className="stack">
            <StateHead
              icon="phone"
              isOn={isOn}
              title={t(isOn ? 'security.on' : 'security.authenticator')}
              note={t(isOn ? 'second.off_lead' : 'second.lead')}
            />
            <Button
              look={isOn ? 'danger' : 'brand'}
              onClick={() => (user.has_paypass ? proof.ask() : showToast(t('security.need_paypass'), 'danger'))}
            >
              {t(isOn ? 'second.turn_off' : 'second.begin')}
            </Button>
          </Card>
        </div>
      )}
      <OwnerSheet
        open={proof.isOpen}
        onClose={proof.close}
        title={t('security.authenticator')}
        asksCode={isOn || proof.asksCode}
        factor={{ operation: isOn ? 'authenticator_stop' : 'authenticator_start', subject: OWN_SUBJECT }}
        takesRecoveryCode={isOn}
        onProof={(given) => void (isOn ? turnOff(given) : begin(given))}
        busy={start.isBusy || stop.isBusy}
        refused={proof.refused}
      />
    </>
  );
}

function Qr({ payload, label }: { payload: string; label: string }) {
  const { path, size } = qrPath(payload);
  return (
    <span className="second-qr">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
        <path d={path} fill="#000" />
      </svg>
    </span>
  );
}
