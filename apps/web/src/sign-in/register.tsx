import { CURRENCIES, type Currency, type FieldFault, registerCustomer } from '@sathorn/api';
import { FormFoot, FormPage, FormProvider, keptValues, useCallForm } from '@sathorn/app/forms';
import { afterLogin, useNavigation } from '@sathorn/app/navigation';
import { beginSession } from '@sathorn/app/session';
import { showToast } from '@sathorn/app/shell';
import { seenText, typedCode, typedWord } from '@sathorn/identity';
import { Card, CardHead, PasswordField, TextField, useText } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import { brand } from '#brand';
import {
  ContactFields,
  type ContactValues,
  contactFaults,
  contactRequest,
  NO_CONTACT,
  useAreaCode,
} from '../parts/forms/contact-fields.tsx';
import { phoneNumber } from '../parts/forms/phone-number.ts';
import { SelectField } from '../parts/forms/select-field.tsx';
import { LOGIN, TABLE } from '../paths.ts';
import { useSystemConfig } from '../shell/config.ts';
import { AgreementCheck } from './agreement-check.tsx';
import { PinField } from './pin-field.tsx';

interface Values extends ContactValues {
  password: string;
  paypass: string;
  username: string;
  currency: Currency;
  invite_code: string;
  agree: string;
}

/** The invitation code for a demo's customers; the server accepts it in demo mode only. */
const DEMO_INVITE_CODE = 'WELCOME';

type CommonSecrets = typeof import('@sathorn/api/common-secrets');
/** A value with the wrong format gets the message about the format only. */
const loginPasswordPattern = /^[A-Za-z0-9]{6,12}$/;

const TYPED = ['mode', 'phone', 'email', 'username', 'currency'] as const;
const KEPT = keptValues<Values>('register', [...TYPED, 'invite_code']);
/** The code of an invitation link is not stored, because the link contains it. */
const KEPT_BESIDE_LINK = keptValues<Values>('register', TYPED);

/** `#/pages/login/regist`; an invitation link has `code` in its query. */
export default function Register() {
  const { t } = useText();
  const { address, query, redirect } = useNavigation();
  const areaCode = useAreaCode();
  const config = useSystemConfig();
  const needsInvite = config?.invite_required ?? brand.inviteRequired;
  const isDemo = config?.mode === 'demo';

  const [guesses, setGuesses] = useState<CommonSecrets>();
  useEffect(() => {
    // The server checks the same. Checking here shows this fault together with the others before anything is sent.
    import('@sathorn/api/common-secrets').then(setGuesses, () => undefined);
  }, []);
  const secretFaults = ({
    password,
    paypass,
    username,
    ...contact
  }: Values): Record<string, FieldFault | undefined> => {
    const phone = contact.mode === 'phone' ? phoneNumber(contact.phone, areaCode) : null;
    const email = contact.mode === 'email' ? seenText(contact.email) : null;
    const isGuessed =
      loginPasswordPattern.test(password) &&
      guesses?.isCommonPassword(password, { username: typedWord(username), brand: brand.title, phone, email });
    return {
      password: isGuessed ? 'password_common' : undefined,
      paypass: /^[0-9]{6}$/.test(paypass) && guesses?.isCommonPin(paypass, { phone }) ? 'paypass_common' : undefined,
    };
  };

  const { form, errorOf, submit, isBusy, refusal } = useCallForm<typeof registerCustomer, Values>(registerCustomer, {
    initial: {
      ...NO_CONTACT,
      password: '',
      paypass: '',
      username: '',
      currency: brand.currency,
      invite_code: query.get('code') ?? '',
      agree: '',
    },
    kept: query.has('code') ? KEPT_BESIDE_LINK : KEPT,
    request: (values) => ({
      mode: values.mode,
      ...contactRequest(values, areaCode),
      password: values.password,
      paypass: values.paypass,
      username: typedWord(values.username),
      currency: values.currency,
      invite_code: typedCode(values.invite_code),
      agree: values.agree,
    }),
    also: (values) => ({
      ...contactFaults(values),
      ...secretFaults(values),
      invite_code: needsInvite && values.invite_code.trim() === '' ? 'required' : undefined,
    }),
    refusalFields: {
      code_wrong: 'code',
      username_taken: 'username',
      invite_code_unknown: 'invite_code',
      invite_code_required: 'invite_code',
      password_common: 'password',
      paypass_common: 'paypass',
    },
    onRefused: ({ code, message }, { mode }) => {
      if ((code !== 'contact_taken' && code !== 'area_not_served') || !message) return false;
      form.setError(mode, { by: 'server', sentence: message });
      form.setFocus(mode);
      return true;
    },
    onDone: ({ token, user }) => {
      beginSession(token, user);
      showToast(t('regist.done'), 'success');
      redirect(afterLogin(TABLE, address));
    },
  });

  const demoInvite = isDemo ? t('regist.demo_invite', { code: DEMO_INVITE_CODE }) : undefined;
  const inviteError = errorOf('invite_code');
  return (
    <FormProvider form={form}>
      <FormPage
        onSubmit={submit}
        submitLabel={t('regist.submit')}
        busy={isBusy}
        refusal={refusal}
        foot={
          <FormFoot label={t('login.submit')} onPress={() => redirect(LOGIN, { from: query.get('from') ?? undefined })}>
            {t('regist.have_account')}
          </FormFoot>
        }
      >
        <Card>
          <CardHead title={t('regist.contact')} />
          <ContactFields purpose="register" errorOf={errorOf} />
        </Card>
        <Card>
          <CardHead title={t('regist.account')} />
          <TextField
            {...form.field('username')}
            label={t('regist.username')}
            hint={t('regist.username_hint')}
            error={errorOf('username')}
            autoComplete="username"
            dir="ltr"
          />
          <SelectField {...form.field('currency')} label={t('regist.currency')} error={errorOf('currency')}>
            {CURRENCIES.map((currency) => (
              <option key={currency} value={currency}>
                {t(`currency.${currency}`)}
              </option>
            ))}
          </SelectField>
          <TextField
            {...form.field('invite_code')}
            label={t(needsInvite ? 'regist.invite' : 'regist.invite_optional')}
            hint={demoInvite}
            error={inviteError && demoInvite ? `${inviteError} ${demoInvite}` : inviteError}
            autoCapitalize="characters"
            dir="ltr"
          />
        </Card>
        <Card>
          <CardHead title={t('regist.security')} />
          <PasswordField
            {...form.field('password')}
            label={t('form.password')}
            hint={t('form.password_hint')}
            error={errorOf('password')}
            autoComplete="new-password"
            showLabel={t('form.show')}
            hideLabel={t('form.hide')}
          />
          <PinField
            label={t('form.paypass')}
            hint={t('form.paypass_hint')}
            value={form.values.paypass}
            onChange={(pin) => form.set('paypass', pin)}
            error={errorOf('paypass')}
          />
        </Card>
        <AgreementCheck
          checked={form.values.agree !== ''}
          onChange={(checked) => form.set('agree', checked ? 'true' : '')}
          error={errorOf('agree')}
        />
      </FormPage>
    </FormProvider>
  );
}
