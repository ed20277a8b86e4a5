import { checkRegistration, type FieldFault, type RequestOf, registerCustomer } from '@sathorn/api';
import { useCall } from '@sathorn/app/client';
import { FormFoot, FormPage, FormProvider, useCallForm } from '@sathorn/app/forms';
import { Late } from '@sathorn/app/late';
import { addressAfterLogin, useNavigation } from '@sathorn/app/navigation';
import { beginSession } from '@sathorn/app/session';
import { normaliseCode, normaliseText, normaliseWord } from '@sathorn/identity';
import { formatCount } from '@sathorn/text';
import { IconButton, NavBar, ProgressBar, Skeleton, usePanelEntry, useText } from '@sathorn/ui';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { brand } from '#brand';
import { LanguageSheet } from '../parts/account/language-sheet.tsx';
import { contactFaults, contactRequest, NO_CONTACT, useAreaCode } from '../parts/forms/contact-fields.tsx';
import { preloadPinSteps } from '../parts/forms/late-pin-steps.tsx';
import { phoneNumber } from '../parts/forms/phone-number.ts';
import { OpeningTexts } from '../parts/guide/opening-texts.tsx';
import { LOGIN, SCREEN_TABLE } from '../paths.ts';
import { useSystemConfig } from '../shell/config.ts';
import { AccountStep, ContactStep, PaymentStep } from './register-steps.tsx';
import { keptRegistration, type Registration } from './registration.ts';
import './register.css';

/** The invitation code for a demo's customers; the server accepts it in demo mode only. */
const DEMO_INVITE_CODE = 'WELCOME';

type CommonSecrets = typeof import('@sathorn/api/common-secrets');
/** A value in the wrong format gets only the message about the format. */
const loginPasswordPattern = /^[A-Za-z0-9]{6,12}$/;
/** Incomplete values that can still become valid. Any other value is reported while it is typed. */
const BEGUN = { username: /^(?:[A-Za-z][A-Za-z0-9_.]{0,19})?$/, password: /^[A-Za-z0-9]{0,12}$/ } as const;

const STEPS = [
  ['mode', 'phone', 'email', 'code', 'invite_code'],
  ['username', 'password', 'currency'],
  ['paypass', 'agree'],
] as const satisfies readonly (readonly (keyof Registration)[])[];
const LAST = STEPS.length;
/** Returns the number of the first step with one of these fields; undefined if there is none. */
const firstStepWith = (fields: readonly string[]): number | undefined => {
  const place = STEPS.findIndex((step) => step.some((field) => fields.includes(field)));
  return place < 0 ? undefined : place + 1;
};

const REFUSED_FIELDS = {
  code_wrong: 'code',
  username_taken: 'username',
  invite_code_unknown: 'invite_code',
  invite_code_required: 'invite_code',
  password_common: 'password',
  paypass_common: 'paypass',
} as const;

const loadOpened = () => import('./account-opened.tsx');

/** `#/pages/login/regist`, in three steps; an invitation link has `code` in its query. */
export default function Register() {
  return (
    <OpeningTexts>
      <SignUp />
    </OpeningTexts>
  );
}

function SignUp() {
  const { t, presentation } = useText<'opening'>();
  const { address, query, redirect, back } = useNavigation();
  const areaCode = useAreaCode();
  const config = useSystemConfig();
  const needsInvite = config?.invite_required ?? brand.inviteRequired;
  const isDemo = config?.mode === 'demo';
  const [isChoosingLanguage, setChoosingLanguage] = useState(false);
  /** The payment password of the new account, which confirms the first passkey. */
  const [opened, setOpened] = useState<{ paypass: string }>();

  const [guesses, setGuesses] = useState<CommonSecrets>();
  useEffect(() => {
    // The server makes the same check. Checking here shows the fault while the customer chooses the secret.
    import('@sathorn/api/common-secrets').then(setGuesses, () => undefined);
  }, []);
  const secretFaults = ({
    password,
    paypass,
    username,
    ...contact
  }: Registration): Record<string, FieldFault | undefined> => {
    const phone = contact.mode === 'phone' ? phoneNumber(contact.phone, areaCode) : null;
    const email = contact.mode === 'email' ? normaliseText(contact.email) : null;
    const isGuessed =
      loginPasswordPattern.test(password) &&
      guesses?.isCommonPassword(password, { username: normaliseWord(username), brand: brand.title, phone, email });
    return {
      password: isGuessed ? 'password_common' : undefined,
      paypass: /^[0-9]{6}$/.test(paypass) && guesses?.isCommonPin(paypass, { phone }) ? 'paypass_common' : undefined,
    };
  };

  const firstStepOf = (values: Registration) => ({
    mode: values.mode,
    ...contactRequest(values, areaCode),
    invite_code: normaliseCode(values.invite_code),
  });
  const { form, errorOf, faultsOf, check, send, takeRefusal, isBusy, refusal } = useCallForm<
    typeof registerCustomer,
    Registration
  >(registerCustomer, {
    initial: {
      ...NO_CONTACT,
      password: '',
      paypass: '',
      username: '',
      currency: brand.currency,
      invite_code: query.get('code') ?? '',
      agree: '',
    },
    kept: keptRegistration(query.has('code')),
    request: (values) => ({
      ...firstStepOf(values),
      password: values.password,
      paypass: values.paypass,
      username: normaliseWord(values.username),
      currency: values.currency,
      agree: values.agree,
    }),
    also: (values) => ({
      ...contactFaults(values),
      ...secretFaults(values),
      invite_code: needsInvite && values.invite_code.trim() === '' ? 'required' : undefined,
    }),
    refusalFields: REFUSED_FIELDS,
    onRefused: ({ code, message, fields }, { mode }) => {
      const isOfContact = code === 'contact_taken' || code === 'area_not_served';
      const named = isOfContact ? [mode] : [...Object.keys(fields), REFUSED_FIELDS[code as 'code_wrong']];
      setStep((shown) => firstStepWith(named) ?? shown);
      if (!isOfContact || !message) return false;
      form.setError(mode, { by: 'server', sentence: message });
      return true;
    },
    onDone: ({ token, user }, { paypass }) => {
      beginSession(token, user);
      setOpened({ paypass });
    },
  });
  const openStep = () => firstStepWith(Object.keys(faultsOf(form.latest()))) ?? LAST;
  // Opens the first unfinished step when the customer comes back.
  const [step, setStep] = useState(openStep);
  const [firstShown] = useState(step);
  usePanelEntry(step > 1 && !opened, () => setStep(1));
  usePanelEntry(step > 2 && !opened, () => setStep(2));

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, because the visitor may clear the field.
  useEffect(() => {
    if (isDemo && form.latest().invite_code === '') form.set('invite_code', DEMO_INVITE_CODE);
  }, [isDemo]);
  const { code, username, password } = form.values;
  // biome-ignore lint/correctness/useExhaustiveDependencies: reports a value that cannot become valid any more.
  useEffect(() => {
    if (!BEGUN.username.test(username)) form.judge('username');
    if (!BEGUN.password.test(password) || faultsOf(form.latest()).password === 'password_common')
      form.judge('password');
  }, [username, password, guesses]);
  const contactCheck = useCall(checkRegistration, { quiet: true });
  /** The contact, code and invitation that the server has accepted: another check would cost a try of the code. */
  const found = useRef('');
  const leaveFirstStep = async (to: number) => {
    const sent = form.latest();
    const asked = firstStepOf(sent);
    if (found.current !== JSON.stringify(asked)) {
      const answer = await contactCheck.submit(asked as RequestOf<typeof checkRegistration>);
      if (!answer.ok) return takeRefusal(answer, sent);
      found.current = JSON.stringify(asked);
    }
    setStep(to);
  };
  // The sixth character, typed or filled in from the message, opens the next step.
  const codeSeen = useRef(code);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the code changes, not the other fields.
  useEffect(() => {
    if (code === codeSeen.current) return;
    codeSeen.current = code;
    if (step === 1 && openStep() > 1) void leaveFirstStep(openStep());
  }, [code]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when a step opens.
  useEffect(() => {
    if (step === 2) {
      preloadPinSteps();
      form.setFocus(username === '' || password !== '' ? 'username' : 'password');
    }
  }, [step]);

  const goOn = (event: FormEvent) => {
    if (!check(event, STEPS.slice(0, step).flat())) setStep(Math.min(step, openStep()));
    else if (step === LAST) void send();
    else if (step === 1) void leaveFirstStep(2);
    else setStep(step + 1);
  };
  const goOnwards = () => redirect(addressAfterLogin(SCREEN_TABLE, address));

  if (opened) {
    return (
      <Late load={loadOpened} waiting={<Skeleton height={320} />}>
        {(AccountOpened) => <AccountOpened paypass={opened.paypass} onDone={goOnwards} />}
      </Late>
    );
  }
  const stepText = t('paypass.step', {
    step: formatCount(step, presentation),
    steps: formatCount(LAST, presentation),
  });
  return (
    <FormProvider form={form}>
      <NavBar
        title={t('screen.register')}
        backLabel={t('shell.back')}
        onBack={() => (step > 1 ? setStep(step - 1) : back())}
        trail={<IconButton icon="globe" label={t('setting.language')} onClick={() => setChoosingLanguage(true)} />}
      />
      <div className="regist-progress">
        <ProgressBar share={step / LAST} label={stepText} />
        <p className="cap num">{stepText}</p>
      </div>
      <FormPage
        onSubmit={goOn}
        submitLabel={t(step === LAST ? 'regist.submit' : 'paypass.next')}
        busy={isBusy || contactCheck.isBusy}
        refusal={refusal}
        foot={
          step === 1 && (
            <FormFoot
              label={t('login.submit')}
              onPress={() => redirect(LOGIN, { from: query.get('from') ?? undefined })}
            >
              {t('regist.have_account')}
            </FormFoot>
          )
        }
      >
        {step === 1 && (
          <ContactStep
            errorOf={errorOf}
            needsInvite={needsInvite}
            demoInvite={isDemo ? t('regist.demo_invite', { code: DEMO_INVITE_CODE }) : undefined}
          />
        )}
        {step === 2 && <AccountStep errorOf={errorOf} areSecretsGone={firstShown === 2 && password === ''} />}
        {step === LAST && <PaymentStep errorOf={errorOf} />}
      </FormPage>
      <LanguageSheet open={isChoosingLanguage} onClose={() => setChoosingLanguage(false)} />
    </FormProvider>
  );
}
