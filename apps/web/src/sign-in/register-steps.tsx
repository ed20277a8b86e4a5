import { CURRENCIES } from '@sathorn/api';
import { useSurroundingForm } from '@sathorn/app/forms';
import { Card, FieldTick, Icon, PasswordField, TextField, useText } from '@sathorn/ui';
import { type ReactNode, useId, useState } from 'react';
import { ContactFields } from '../parts/forms/contact-fields.tsx';
import { LatePinSteps } from '../parts/forms/late-pin-steps.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { AgreementCheck } from './agreement-check.tsx';
import type { Registration } from './registration.ts';

interface StepProps {
  errorOf: (field: keyof Registration & string) => string | undefined;
}

/** One step of the form. Screen readers announce its title when the focus moves into it. */
function Step({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="regist-step" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {lead && <p>{lead}</p>}
      {children}
    </section>
  );
}

/** Phone or email, the code sent there, and the invitation. */
export function ContactStep({
  errorOf,
  needsInvite,
  demoInvite,
}: StepProps & { needsInvite: boolean; demoInvite: string | undefined }) {
  const { t } = useText<'opening'>();
  const form = useSurroundingForm<Registration>();
  const inviteError = errorOf('invite_code');
  return (
    <Step title={t('regist.contact')} lead={t('regist.contact_lead')}>
      <Card>
        <ContactFields purpose="register" errorOf={errorOf} />
        <TextField
          {...form.field('invite_code')}
          label={t(needsInvite ? 'regist.invite' : 'regist.invite_optional')}
          hint={demoInvite}
          error={inviteError && demoInvite ? `${inviteError} ${demoInvite}` : inviteError}
          onBlur={() => form.judge('invite_code')}
          trail={form.isValid('invite_code') && <FieldTick />}
          autoCapitalize="characters"
          enterKeyHint="next"
          dir="ltr"
        />
      </Card>
    </Step>
  );
}

/** Username, password, and the currency in which money is shown. */
export function AccountStep({ errorOf, areSecretsGone }: StepProps & { areSecretsGone: boolean }) {
  const { t } = useText<'opening'>();
  const form = useSurroundingForm<Registration>();
  return (
    <Step title={t('regist.account')}>
      <Card>
        <TextField
          {...form.field('username')}
          label={t('regist.username')}
          hint={t('regist.username_hint')}
          error={errorOf('username')}
          onBlur={() => form.judge('username')}
          trail={form.isValid('username') && <FieldTick />}
          // Enter moves on to the password, because the form is not complete yet.
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || form.latest().password !== '') return;
            event.preventDefault();
            form.setFocus('password');
          }}
          enterKeyHint="next"
          autoComplete="username"
          dir="ltr"
        />
        <PasswordField
          {...form.field('password')}
          label={t('form.password')}
          hint={
            form.isValid('password') ? (
              <span className="regist-good">
                <Icon name="check" size={15} />
                {t('regist.password_good')}
              </span>
            ) : (
              t(areSecretsGone ? 'regist.password_gone' : 'form.password_hint')
            )
          }
          error={errorOf('password')}
          onBlur={() => form.judge('password')}
          autoComplete="new-password"
          enterKeyHint="next"
          showLabel={t('form.show')}
          hideLabel={t('form.hide')}
        />
        <SelectField {...form.field('currency')} label={t('regist.currency')} error={errorOf('currency')}>
          {CURRENCIES.map((currency) => (
            <option key={currency} value={currency}>
              {t(`currency.${currency}`)}
            </option>
          ))}
        </SelectField>
      </Card>
    </Step>
  );
}

/** The payment password, typed twice on our own keypad, then the agreement. */
export function PaymentStep({ errorOf }: StepProps) {
  const { t } = useText<'opening'>();
  const form = useSurroundingForm<Registration>();
  const { paypass, agree } = form.values;
  const error = errorOf('paypass');
  const [attempt, setAttempt] = useState(0);
  return (
    <Step title={t('form.paypass')} lead={t('form.paypass_hint')}>
      <Card>
        {paypass === '' || error ? (
          <LatePinSteps
            key={attempt}
            steps={['new', 'again']}
            error={error}
            onDone={({ pin }) => {
              form.set('paypass', pin);
              form.judge('paypass');
              setAttempt(attempt + 1);
            }}
          />
        ) : (
          <p className="regist-pin" role="status">
            <span aria-hidden="true">••••••</span>
            <span className="regist-good">
              <Icon name="check" size={15} />
              {t('pin.chosen')}
            </span>
            <button type="button" className="form-link" onClick={() => form.set('paypass', '')}>
              {t('form.change')}
            </button>
          </p>
        )}
      </Card>
      <AgreementCheck
        checked={agree !== ''}
        onChange={(checked) => form.set('agree', checked ? 'true' : '')}
        error={errorOf('agree')}
      />
    </Step>
  );
}
