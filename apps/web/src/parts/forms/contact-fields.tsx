import { type FieldFault, sendEmailCode, sendSmsCode } from '@sathorn/api';
import type { Answer } from '@sathorn/app/client';
import { failureText, useCall } from '@sathorn/app/client';
import { faultyFields, useSurroundingForm } from '@sathorn/app/forms';
import { showToast } from '@sathorn/app/shell';
import { normaliseCode, normaliseText } from '@sathorn/identity';
import { formatCount } from '@sathorn/text';
import { CodeField, FieldTick, Tabs, TextField, useText } from '@sathorn/ui';
import { brand } from '#brand';
import { useSystemConfig } from '../../shell/config.ts';
import { useCodeWait } from './code-wait.ts';
import { phoneNumber } from './phone-number.ts';

export interface ContactValues {
  mode: 'phone' | 'email';
  phone: string;
  email: string;
  code: string;
}

export const NO_CONTACT: ContactValues = { mode: 'phone', phone: '', email: '', code: '' };

interface ContactFieldsProps {
  purpose: 'register' | 'forget' | 'edit';
  errorOf: (field: 'phone' | 'email' | 'code') => string | undefined;
  phoneLabel?: string;
  emailLabel?: string;
}

/** The phone or email fields, and the field for the code sent there. Must be inside a form with these values. */
export function ContactFields({ purpose, errorOf, phoneLabel, emailLabel }: ContactFieldsProps) {
  const texts = useText();
  const { t, presentation } = texts;
  const form = useSurroundingForm<ContactValues>();
  const { mode, phone, email } = form.values;
  const isPhone = mode === 'phone';
  const kind = isPhone ? 'tel' : 'email';
  const sms = useCall(sendSmsCode, { quiet: true, withoutOverlay: true });
  const mail = useCall(sendEmailCode, { quiet: true, withoutOverlay: true });
  const config = useSystemConfig();
  const areaCode = useAreaCode();
  const to = isPhone ? phoneNumber(phone, areaCode) : normaliseText(email);
  const { waitUntil, startWait } = useCodeWait(purpose, to);

  const send = async (): Promise<void> => {
    const values = form.latest();
    form.clearErrors([values.mode, 'code']);
    if (values.mode === 'phone') {
      const request = { userphone: phoneNumber(values.phone, areaCode), must: purpose };
      return tell(faultyFields(sendSmsCode.request, request).userphone, () => sms.submit(request));
    }
    const request = { email: normaliseText(values.email), must: purpose };
    return tell(faultyFields(sendEmailCode.request, request).email, () => mail.submit(request));
  };

  const tell = async (
    fault: FieldFault | undefined,
    submit: () => Promise<Answer<{ wait: number }>>,
  ): Promise<void> => {
    const field = form.latest().mode;
    if (fault) {
      form.setError(field, { by: 'form', fault });
      form.setFocus(field);
      return;
    }
    const answer = await submit();
    if (answer.ok) {
      showToast(t('said.code_sent'), 'success');
      form.setFocus('code');
      return startWait(answer.data.wait);
    }
    const [named] = Object.values(answer.fields);
    if (named) form.setError(field, { by: 'server', sentence: named });
    else showToast(failureText(answer, texts), 'danger');
    const wait = Number(answer.params.wait);
    if (!(wait > 0)) return;
    // A code has been sent already.
    form.setFocus('code');
    startWait(wait);
  };

  return (
    <>
      <Tabs
        label={t('form.by')}
        tabs={[
          { value: 'phone', label: t('form.by_phone') },
          { value: 'email', label: t('form.by_email') },
        ]}
        value={mode}
        onChange={(next) => form.set('mode', next)}
      />
      <TextField
        key={mode}
        {...form.field(mode)}
        label={isPhone ? (phoneLabel ?? t('form.phone')) : (emailLabel ?? t('form.email'))}
        error={errorOf(mode)}
        onBlur={() => form.judge(mode)}
        trail={form.isValid(mode) && <FieldTick />}
        type={kind}
        inputMode={kind}
        autoComplete={kind}
        dir="ltr"
        lead={
          isPhone && !normaliseText(phone).startsWith('+') ? (
            <span className="ui-field-unit num">+{areaCode}</span>
          ) : undefined
        }
      />
      <div>
        <CodeField
          {...form.field('code')}
          label={t('form.code')}
          error={errorOf('code')}
          sendLabel={t('form.send_code')}
          waitLabel={(seconds) => t('form.next_code', { seconds: formatCount(seconds, presentation) })}
          waitUntil={waitUntil}
          onSend={send}
          onCode={(code) => form.set('code', code)}
        />
        {config?.mode === 'demo' && <DemoOutbox to={to} />}
      </div>
    </>
  );
}

/** A link to the demo's outbox, because a demo sends no SMS or email. A wrong code shows it too. */
export function DemoOutbox({ to }: { to: string }) {
  const { t } = useText();
  return (
    <p className="ui-field-note">
      <a href={`${brand.baseUrl}/demo/outbox?to=${encodeURIComponent(to)}`} target="_blank" rel="noreferrer">
        {t('form.demo_code')}
      </a>
    </p>
  );
}

export function useAreaCode(): string {
  return useSystemConfig()?.area_code ?? brand.areaCode;
}

/** Returns only the contact of the selected tab. */
export function contactRequest(values: ContactValues, areaCode: string): Record<string, string | undefined> {
  return values.mode === 'phone'
    ? { phone: phoneNumber(values.phone, areaCode), code: normaliseCode(values.code) }
    : { email: normaliseText(values.email), code: normaliseCode(values.code) };
}

/** Reports a missing phone or email at once. The schemas would report it only when all other fields are valid. */
export function contactFaults(values: ContactValues): Record<string, FieldFault | undefined> {
  return values[values.mode].trim() === '' ? { [values.mode]: 'required' } : {};
}
