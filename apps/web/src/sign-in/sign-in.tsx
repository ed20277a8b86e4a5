import { loginCustomer } from '@sathorn/api';
import { FormFoot, FormPage, useCallForm } from '@sathorn/app/forms';
import { addressAfterLogin, useNavigation } from '@sathorn/app/navigation';
import { beginSession, useSession } from '@sathorn/app/session';
import { showToast } from '@sathorn/app/shell';
import { normaliseCode } from '@sathorn/identity';
import { IconButton, PasswordField, TextField, useText } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import { brand } from '#brand';
import { LanguageSheet } from '../parts/account/language-sheet.tsx';
import { hasPasskeySupport } from '../parts/forms/passkeys.ts';
import { SCREEN_TABLE } from '../paths.ts';
import { AgreementCheck } from './agreement-check.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import './sign-in.css';

interface Values {
  username: string;
  password: string;
  otp: string;
  agree: string;
}

/** `#/pages/login/login?from=…`: signs in. */
export default function SignIn() {
  const { t } = useText();
  const { address, query, redirect, navigate, back } = useNavigation();
  /**
   * The reason for asking for a code: a second factor requires it, or a code skips the delay caused by strangers'
   * guesses.
   */
  const [asksFactor, setAsksFactor] = useState<'required' | 'delayed' | null>(null);
  const [isChoosingLanguage, setChoosingLanguage] = useState(false);
  const from = query.get('from') ?? undefined;

  const { form, errorOf, submit, isBusy, refusal } = useCallForm<typeof loginCustomer, Values>(loginCustomer, {
    initial: { username: '', password: '', otp: '', agree: '' },
    request: ({ username, password, otp }) => ({ username, password, otp: normaliseCode(otp) }),
    also: ({ username, password, agree }) => ({
      // The specification requires both fields, and one message if either is missing.
      username: username.trim() === '' ? 'credentials_required' : undefined,
      password: password === '' ? 'credentials_required' : undefined,
      agree: agree === '' ? 'agreement_required' : undefined,
    }),
    onRefused: ({ code }) => {
      if (code === 'login_delayed' && asksFactor === null) setAsksFactor('delayed');
      if (code !== 'second_factor_required' || asksFactor === 'required') return false;
      setAsksFactor('required');
      return true;
    },
    onDone: ({ token, user }) => {
      beginSession(token, user);
      showToast(t('login.done'), 'success');
    },
  });

  // The customer has signed in here or in another tab, so this page is done.
  const token = useSession((session) => session.token);
  const [tokenBefore] = useState(token);
  useEffect(() => {
    if (token !== null && token !== tokenBefore) redirect(addressAfterLogin(SCREEN_TABLE, address));
  }, [token, tokenBefore, redirect, address]);

  const usernameError = errorOf('username');
  const passwordError = errorOf('password');
  return (
    <>
      <header className="login-hero">
        <div className="login-hero-bar">
          <IconButton icon="back" flip label={t('shell.back')} onClick={back} />
          <IconButton icon="globe" label={t('setting.language')} onClick={() => setChoosingLanguage(true)} />
        </div>
        <p className="login-hero-brand">{brand.title}</p>
        <h1>{t('login.welcome')}</h1>
        <p className="login-hero-lead">{t('login.lead')}</p>
      </header>
      <FormPage
        onSubmit={submit}
        submitLabel={t('login.submit')}
        busy={isBusy}
        refusal={refusal}
        foot={
          <>
            <FormFoot label={t('login.regist')} onPress={() => redirect('/pages/login/regist', { from })}>
              {t('login.no_account')}
            </FormFoot>
            {hasPasskeySupport() && <PasskeySignIn />}
            {asksFactor === 'required' && (
              <FormFoot label={t('login.lost_factor')} onPress={() => navigate('/pages/login/resetFactor')} />
            )}
            <FormFoot label={t('login.forgotten')} onPress={() => navigate('/pages/login/forgetPwd', { from })} />
            <FormFoot label={t('login.ask_support')} onPress={() => navigate('/pages/service/index')} />
          </>
        }
      >
        <section className="ui-card login-card">
          <TextField
            {...form.field('username')}
            label={t('login.name')}
            error={usernameError}
            autoComplete="username"
            dir="ltr"
          />
          <PasswordField
            {...form.field('password')}
            label={t('form.password')}
            // If both fields have the same fault, it is shown once.
            error={passwordError === usernameError ? undefined : passwordError}
            showLabel={t('form.show')}
            hideLabel={t('form.hide')}
          />
          {asksFactor && (
            <TextField
              {...form.field('otp')}
              label={t('login.otp')}
              hint={t(asksFactor === 'required' ? 'login.otp_hint' : 'login.otp_delayed')}
              error={errorOf('otp')}
              autoComplete="one-time-code"
              dir="ltr"
              autoFocus={asksFactor === 'required'}
            />
          )}
        </section>
        <AgreementCheck
          checked={form.values.agree !== ''}
          onChange={(checked) => form.set('agree', checked ? 'true' : '')}
          error={errorOf('agree')}
        />
      </FormPage>
      <LanguageSheet open={isChoosingLanguage} onClose={() => setChoosingLanguage(false)} />
    </>
  );
}
