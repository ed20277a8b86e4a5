import {
  finishEnrolment,
  finishPasskeyLogin,
  listDemoOperators,
  loginOperator,
  startEnrolment,
  startPasskeyLogin,
} from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { setPreferences } from '@sathorn/app/preferences';
import { Button } from '@sathorn/ui';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { beginConsoleSession, type Operator } from '../operator.ts';
import { Field } from '../parts/field.tsx';
import { RefusalNote } from '../parts/states.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { answerWithPasskey, hasPasskeys } from '../passkey.ts';
import { goToRoute, useRoute } from '../route.ts';
import { useAct } from '../use-act.ts';

/** Covers the page when the session has ended; text typed below stays. */
export function SignIn({ isAgain }: { isAgain: boolean }) {
  const { t, language } = useTexts();
  const { page, id, filter } = useRoute();
  // An invitation's link: `#/enrol/NAME?secret=…`.
  const invited = page === 'enrol' && id !== null ? { username: id, half: filter.secret ?? '' } : null;
  const [isNew, setNew] = useState(invited !== null);
  return (
    <main className="gate" data-over={isAgain ? '' : undefined}>
      <section className="card gate-card">
        <div className="hd">
          <h1>{t(isNew ? 'enrol.title' : 'sign_in.title')}</h1>
          <span className="r">
            <button
              type="button"
              className="language"
              onClick={() => setPreferences({ language: language === 'th' ? 'en' : 'th' })}
            >
              {language === 'th' ? 'English' : 'ไทย'}
            </button>
          </span>
        </div>
        <div className="bd col">
          {isAgain && <p className="note">{t('sign_in.again')}</p>}
          {isNew ? <Enrol invited={invited} onDone={() => setNew(false)} /> : <PasswordForm />}
          <button type="button" className="link" onClick={() => setNew(!isNew)}>
            {t(isNew ? 'sign_in.have' : 'enrol.begin')}
          </button>
        </div>
      </section>
      {!isNew && <DemoPeople />}
    </main>
  );
}

const valuesOf = (event: SyntheticEvent<HTMLFormElement>): Record<string, string> => {
  event.preventDefault();
  return Object.fromEntries([...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]));
};

function PasswordForm() {
  const { t } = useTexts();
  const login = useAct(loginOperator);
  const start = useAct(startPasskeyLogin);
  const finish = useAct(finishPasskeyLogin);
  const withPasskey = async () => {
    const asked = await start.run({});
    if (!asked.ok) return;
    const credential = await answerWithPasskey(asked.data.options);
    if (credential === null) return;
    const entered = await finish.run({ challenge: asked.data.challenge, credential });
    if (entered.ok) beginConsoleSession(entered.data.token, entered.data.operator as Operator);
  };
  return (
    <form
      className="col"
      onSubmit={async (event) => {
        const { username = '', password = '', code = '' } = valuesOf(event);
        const entered = await login.run({ username, password, code });
        if (entered.ok) beginConsoleSession(entered.data.token, entered.data.operator as Operator);
      }}
    >
      {/* Passkeys come first, because strangers who guess names and passwords cannot delay them. */}
      {hasPasskeys() && (
        <Button look="soft" icon="key" busy={start.isBusy || finish.isBusy} onClick={() => void withPasskey()}>
          {t('sign_in.passkey')}
        </Button>
      )}
      <Field name="username" label={t('sign_in.name')} autoComplete="username" fault={login.refused?.fields.username} />
      <Field
        name="password"
        type="password"
        label={t('sign_in.password')}
        autoComplete="current-password"
        fault={login.refused?.fields.password}
      />
      <Field
        name="code"
        label={t('sign_in.code')}
        autoComplete="one-time-code"
        inputMode="numeric"
        fault={login.refused?.fields.code}
      />
      <RefusalNote refused={login.refused ?? start.refused ?? finish.refused} />
      <Button type="submit" busy={login.isBusy}>
        {t('sign_in.enter')}
      </Button>
    </form>
  );
}

/** Enrolment: the one-time secret, then authenticator and password. The recovery codes are shown once. */
function Enrol({
  invited,
  onDone,
}: {
  invited: { readonly username: string; readonly half: string } | null;
  onDone: () => void;
}) {
  const { t } = useTexts();
  const start = useAct(startEnrolment);
  const finish = useAct(finishEnrolment);
  const [begun, setBegun] = useState<{ username: string; secret: string; key: string } | null>(null);
  const [entered, setEntered] = useState<{ token: string; operator: Operator; codes: readonly string[] } | null>(null);
  if (entered) {
    return (
      <div className="col">
        <p className="note">{t('enrol.codes')}</p>
        <pre className="mono codes">{entered.codes.join('\n')}</pre>
        <Button
          onClick={() => {
            beginConsoleSession(entered.token, entered.operator);
            // The account page, on which operators add passkeys.
            goToRoute('me');
          }}
        >
          {t('enrol.kept')}
        </Button>
      </div>
    );
  }
  if (begun) {
    return (
      <form
        className="col"
        onSubmit={async (event) => {
          const { password = '', code = '' } = valuesOf(event);
          const done = await finish.run({ username: begun.username, secret: begun.secret, password, code });
          if (done.ok)
            setEntered({
              token: done.data.token,
              operator: done.data.operator as Operator,
              codes: done.data.recovery_codes,
            });
        }}
      >
        <p>{t('enrol.authenticator')}</p>
        <p className="note mono break">{(begun.key.match(/.{1,4}/g) ?? []).join(' ')}</p>
        <Field name="code" label={t('sign_in.code')} inputMode="numeric" fault={finish.refused?.fields.code} />
        <Field
          name="password"
          type="password"
          label={t('enrol.password')}
          autoComplete="new-password"
          fault={finish.refused?.fields.password}
        />
        <RefusalNote refused={finish.refused} />
        <Button type="submit" busy={finish.isBusy}>
          {t('enrol.finish')}
        </Button>
      </form>
    );
  }
  return (
    <form
      className="col"
      onSubmit={async (event) => {
        const values = valuesOf(event);
        const username = invited?.username ?? values.username ?? '';
        const code = (values.code ?? '').replaceAll(/[ -]/g, '').toUpperCase();
        const secret = invited ? `${invited.half}.${code}` : (values.secret ?? '');
        const done = await start.run({ username, secret });
        if (done.ok) setBegun({ username, secret, key: done.data.key });
      }}
    >
      {invited ? (
        <>
          <p className="note">{t('enrol.invited', { name: invited.username })}</p>
          <Field name="code" label={t('enrol.code')} autoComplete="off" fault={start.refused?.fields.secret} />
        </>
      ) : (
        <>
          <Field
            name="username"
            label={t('sign_in.name')}
            autoComplete="username"
            fault={start.refused?.fields.username}
          />
          <Field name="secret" label={t('enrol.secret')} fault={start.refused?.fields.secret} />
        </>
      )}
      <RefusalNote refused={start.refused} />
      <Button type="submit" busy={start.isBusy}>
        {t('enrol.next')}
      </Button>
      <Button look="plain" onClick={onDone}>
        {t('act.cancel')}
      </Button>
    </form>
  );
}

/** Lists the demo operators and their codes. A live deployment does not have this call. */
function DemoPeople() {
  const { t } = useTexts();
  const { data } = useRead(listDemoOperators, {}, { everyMs: 5_000, tries: 0 });
  const login = useAct(loginOperator);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  if (!data || data.length === 0) return null;
  const left = 30 - (Math.floor(now / 1_000) % 30);
  return (
    <section className="card gate-card wide">
      <div className="hd">
        <h2>{t('demo.people')}</h2>
        <span className="r">{t('demo.codes_change', { seconds: left })}</span>
      </div>
      <table className="s">
        <thead>
          <tr>
            <th>{t('sign_in.name')}</th>
            <th>{t('operators.roles')}</th>
            <th>{t('sign_in.password')}</th>
            <th>{t('demo.code')}</th>
            <th>
              <span className="unseen">{t('sign_in.enter')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.map(({ work_name: username, roles, password, code }) => (
            <tr key={username}>
              <td className="b">{username}</td>
              <td>{roles.map((role) => t(`role.${role}`)).join(', ')}</td>
              <td className="mono">{password}</td>
              <td className="mono">{code}</td>
              <td className="num">
                <Button
                  size="small"
                  look="soft"
                  aria-label={t('demo.enter_as', { name: username })}
                  onClick={async () => {
                    const entered = await login.run({ username, password, code });
                    if (entered.ok) beginConsoleSession(entered.data.token, entered.data.operator as Operator);
                  }}
                >
                  {t('sign_in.enter')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <RefusalNote refused={login.refused} />
    </section>
  );
}
