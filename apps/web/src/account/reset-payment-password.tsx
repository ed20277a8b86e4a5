import {
  changePaymentPassword,
  type FieldFault,
  OWN_SUBJECT,
  sendEmailCode,
  sendSmsCode,
  type User,
} from '@sathorn/api';
import { type Answer, failureText, useCall } from '@sathorn/app/client';
import { FormPage, faultyFields } from '@sathorn/app/forms';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { normaliseCode } from '@sathorn/identity';
import { fieldFaultKey, formatCount } from '@sathorn/text';
import { Card, CodeField, Tabs, useText } from '@sathorn/ui';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { AccountGate } from '../parts/account/account-gate.tsx';
import { useAccount } from '../parts/account/use-account.ts';
import { useCodeWait } from '../parts/forms/code-wait.ts';
import { DemoOutbox } from '../parts/forms/contact-fields.tsx';
import { FactorSheet, useFactorSheet } from '../parts/forms/factor-sheet.tsx';
import { LatePinSteps, preloadPinSteps } from '../parts/forms/late-pin-steps.tsx';
import { useSystemConfig } from '../shell/config.ts';

/** `#/pages/mine/setting/paypass`: sets the payment password, or resets a forgotten one, using a verification code. */
export default function ResetPaymentPassword() {
  return <AccountGate>{(user) => <ResetSteps user={user} />}</AccountGate>;
}

function ResetSteps({ user }: { user: User }) {
  const texts = useText();
  const { t } = texts;
  const { back } = useNavigation();
  const { refresh } = useAccount();
  const change = useCall(changePaymentPassword, { quiet: true });
  const [code, setCode] = useState('');
  const [isCodeTaken, setCodeTaken] = useState(false);
  const [codeError, setCodeError] = useState<string>();
  const [pinError, setPinError] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  // Kept when only the code was wrong, so that the password need not be typed twice again.
  const [chosen, setChosen] = useState<string>();

  const factor = useFactorSheet();
  const [typed, setTyped] = useState<string>();

  const send = async (pin: string, otp?: string) => {
    setTyped(pin);
    const answer = await change.submit({ code, password: pin, confirm: pin, ...(otp && { otp }) });
    if (answer.ok) {
      refresh();
      showToast(t('paypass.done'), 'success');
      back();
      return;
    }
    // Only the completed change uses up the code, so it stays valid meanwhile.
    if (factor.takeRefusal(answer)) return;
    const sentence = Object.values(answer.fields)[0] ?? failureText(answer, texts);
    if (answer.code === 'code_wrong' || 'code' in answer.fields) {
      setChosen(pin);
      setCodeError(sentence);
      setCodeTaken(false);
    } else if (!answer.isAnswered && pin === chosen) {
      showToast(sentence, 'danger');
    } else {
      setChosen(undefined);
      setCodeTaken(true);
      setPinError(sentence);
      setAttempt(attempt + 1);
    }
  };

  const factorSheet = (
    <FactorSheet
      factor={factor}
      onClose={() => {
        factor.close();
        setAttempt(attempt + 1);
      }}
      title={t('setting.set_paypass')}
      operation="payment_password"
      subject={OWN_SUBJECT}
      onProof={(otp) => void (typed !== undefined && send(typed, otp))}
      busy={change.isBusy}
    />
  );
  if (isCodeTaken) {
    return (
      <div className="page">
        {factorSheet}
        <Card>
          <LatePinSteps
            key={attempt}
            steps={['new', 'again']}
            onDone={({ pin }) => send(pin)}
            error={pinError}
            busy={change.isBusy}
          />
        </Card>
      </div>
    );
  }
  return (
    <>
      {factorSheet}
      <CodeStep
        user={user}
        code={code}
        onCode={(typed) => {
          setCode(typed);
          setCodeError(undefined);
        }}
        error={codeError}
        onFault={(fault) => setCodeError(t(fieldFaultKey(texts.has, fault, 'code')))}
        onDone={() => (chosen === undefined ? setCodeTaken(true) : void send(chosen))}
        isLast={chosen !== undefined}
        busy={change.isBusy}
      />
    </>
  );
}

interface CodeStepProps {
  user: User;
  code: string;
  onCode: (code: string) => void;
  error: string | undefined;
  onFault: (fault: FieldFault) => void;
  onDone: () => void;
  /** True if the payment password has been chosen, so this is the last step. */
  isLast: boolean;
  busy: boolean;
}

function CodeStep({ user, code, onCode, error, onFault, onDone, isLast, busy }: CodeStepProps) {
  const texts = useText();
  const { t, presentation } = texts;
  const [mode, setMode] = useState<'phone' | 'email'>(user.phone === null ? 'email' : 'phone');
  const sms = useCall(sendSmsCode, { quiet: true, withoutOverlay: true });
  const mail = useCall(sendEmailCode, { quiet: true, withoutOverlay: true });
  const isDemo = useSystemConfig()?.mode === 'demo';
  const input = useRef<HTMLInputElement>(null);
  // The next step needs this code.
  useEffect(preloadPinSteps, []);
  // When the server rejects the code, the input is focused so that it can be typed again.
  useEffect(() => {
    if (error !== undefined) input.current?.focus();
  }, [error]);
  const contact = (mode === 'phone' ? user.phone : user.email) ?? '';
  const { waitUntil, startWait } = useCodeWait('edit', contact);

  const sendCode = async (): Promise<void> => {
    const answer: Answer<{ wait: number }> =
      mode === 'phone'
        ? await sms.submit({ userphone: contact, must: 'edit' })
        : await mail.submit({ email: contact, must: 'edit' });
    if (answer.ok) {
      showToast(t('said.code_sent'), 'success');
      input.current?.focus();
      return startWait(answer.data.wait);
    }
    showToast(Object.values(answer.fields)[0] ?? failureText(answer, texts), 'danger');
    const wait = Number(answer.params.wait);
    if (!(wait > 0)) return;
    // A code has been sent already.
    input.current?.focus();
    startWait(wait);
  };
  const next = (event: FormEvent) => {
    event.preventDefault();
    // Checks only the code; the next step checks the rest.
    const fault = faultyFields(changePaymentPassword.request, { code }).code ?? (code === '' ? 'required' : undefined);
    if (!fault) return onDone();
    onFault(fault);
    input.current?.focus();
  };

  return (
    <FormPage onSubmit={next} submitLabel={t(isLast ? 'setting.set_paypass' : 'paypass.next')} busy={busy}>
      <Card>
        {user.phone !== null && user.email !== null && (
          <Tabs
            label={t('form.by')}
            tabs={[
              { value: 'phone', label: t('form.by_phone') },
              { value: 'email', label: t('form.by_email') },
            ]}
            value={mode}
            onChange={setMode}
          />
        )}
        <p className="muted num">{t('paypass.sent_to', { contact: `\u2066${contact}\u2069` })}</p>
        <div>
          <CodeField
            ref={input}
            name="code"
            label={t('form.code')}
            value={code}
            onChange={(event) => onCode(normaliseCode(event.target.value))}
            error={error}
            sendLabel={t('form.send_code')}
            waitLabel={(seconds) => t('form.next_code', { seconds: formatCount(seconds, presentation) })}
            waitUntil={waitUntil}
            onSend={sendCode}
            onCode={(sent) => onCode(normaliseCode(sent))}
          />
          {isDemo && <DemoOutbox to={contact} />}
        </div>
      </Card>
    </FormPage>
  );
}
