import {
  finishOwnPasskey,
  freezeAccount,
  OWN_SUBJECT,
  readAntiPhishing,
  readSecondFactor,
  removeOwnPasskey,
  renewRecoveryCodes,
  startOwnPasskey,
  type User,
} from '@sathorn/api';
import { type Failure, failureText, readQueryKey, useCall, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { endSession } from '@sathorn/app/session';
import { showToast } from '@sathorn/app/shell';
import { formatCount, formatDate } from '@sathorn/text';
import { Button, Card, CardHead, Icon, ListRow, TextField, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { AccountGate } from '../parts/account/account-gate.tsx';
import { StateHead } from '../parts/account/state-head.tsx';
import { useAccount } from '../parts/account/use-account.ts';
import { deviceName, hasPasskeySupport, makePasskey } from '../parts/forms/passkeys.ts';
import { MoneyNote } from '../parts/money/note.tsx';
import { LOGIN } from '../paths.ts';
import { type AccountGuards, GuardsGate } from './guards-gate.tsx';
import { IdentityTexts } from './identity-texts.tsx';
import { type OwnerProof, OwnerSheet } from './owner-sheet.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useOwnerProof } from './use-owner-proof.ts';
import { useStopFactorReset } from './use-stop-factor-reset.ts';
import './security.css';

type Passkey = AccountGuards['passkeys'][number];

/** `#/pages/mine/security`: the account's protections, the most useful next step, and freezing the account. */
export default function Security() {
  return (
    <IdentityTexts>
      <AccountGate>{(user) => <GuardsGate>{(guards) => <Page user={user} guards={guards} />}</GuardsGate>}</AccountGate>
    </IdentityTexts>
  );
}

type Doing = 'add_passkey' | 'remove_passkey' | 'codes' | 'freeze';

function Page({ user, guards }: { user: User; guards: AccountGuards }) {
  const texts = useText();
  const { t, presentation } = useText<'identity'>();
  const { navigate, relaunch } = useNavigation();
  const queries = useQueryClient();
  const { refresh } = useAccount();
  const proof = useOwnerProof(guards.authenticator_since !== null || guards.passkeys.length > 0);
  const word = useRead(readAntiPhishing, {}, { freshForMs: 0 });
  const [doing, setDoing] = useState<Doing>('freeze');
  const [passkey, setPasskey] = useState<Passkey | null>(null);
  const [name, setName] = useState('');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const start = useCall(startOwnPasskey, { quiet: true });
  const finish = useCall(finishOwnPasskey);
  const remove = useCall(removeOwnPasskey, { quiet: true });
  const freeze = useCall(freezeAccount, { quiet: true });
  const renew = useCall(renewRecoveryCodes, { quiet: true });
  const changed = () => {
    refresh();
    void queries.invalidateQueries({ queryKey: readQueryKey(readSecondFactor) });
  };
  const time = (at: string) => formatDate(at, 'date', presentation);

  const ask = (what: Doing) => {
    if (!user.has_paypass) return showToast(t('security.need_paypass'), 'danger');
    setDoing(what);
    proof.ask();
  };
  const fail = (failure: Failure) => {
    if (!proof.takeRefusal(failure)) showToast(failureText(failure, texts), 'danger');
  };
  const addPasskey = async ({ paypass, otp }: OwnerProof) => {
    const started = await start.submit({ paypass, ...(otp && { otp }) });
    if (!started.ok) return fail(started);
    proof.close();
    const credential = await makePasskey(started.data.options);
    if (credential === null) return showToast(t('security.passkey_cancelled'));
    const done = await finish.submit({ id: started.data.id, credential, name: name.trim() || deviceName() });
    if (done.ok) {
      setName('');
      changed();
    }
  };
  const dropPasskey = async ({ paypass, otp }: OwnerProof) => {
    const done = await remove.submit({ passkey: passkey?.id ?? '', paypass, ...(otp && { otp }) });
    if (!done.ok) return fail(done);
    proof.close();
    changed();
  };
  const newCodes = async ({ otp = '' }: OwnerProof) => {
    const done = await renew.submit({ otp });
    if (!done.ok) return fail(done);
    proof.close();
    setCodes(done.data.recovery_codes);
    changed();
  };
  const freezeNow = async ({ paypass }: OwnerProof) => {
    const done = await freeze.submit({ paypass });
    if (!done.ok) return fail(done);
    proof.close();
    showToast(t('security.frozen', { time: formatDate(done.data.until, 'dateTime', presentation) }), 'success');
    endSession();
    relaunch(LOGIN);
  };
  const act = { add_passkey: addPasskey, remove_passkey: dropPasskey, codes: newCodes, freeze: freezeNow };
  const titles = {
    add_passkey: t('security.add_passkey'),
    remove_passkey: t('security.remove_passkey_ask', { name: passkey?.name ?? '' }),
    codes: t('second.codes'),
    freeze: t('security.freeze_ask'),
  };
  const factor = {
    add_passkey: { operation: 'passkey_add', subject: OWN_SUBJECT },
    remove_passkey: { operation: 'passkey_remove', subject: passkey?.id ?? OWN_SUBJECT },
    codes: { operation: 'recovery_codes', subject: OWN_SUBJECT },
    // Freezing the account needs no second factor: it happens at once.
    freeze: undefined,
  } as const;
  const isOn = guards.authenticator_since !== null;
  const isStrong = isOn || guards.passkeys.length > 0;
  if (codes) return <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />;
  return (
    <div className="page">
      {guards.reset && <Reset reset={guards.reset} />}
      <Card className="stack">
        <StateHead
          icon={isStrong ? 'shield' : 'warning'}
          isOn={isStrong}
          title={t(isStrong ? 'security.on' : 'security.off')}
          note={!isStrong && t('security.off_note')}
        />
        {!isOn && <Button onClick={() => navigate('/pages/mine/security/authenticator')}>{t('second.begin')}</Button>}
        {isOn && guards.recovery_codes <= 3 && (
          <MoneyNote tone="warn" icon="key">
            <p className="row">
              <span>
                {t('security.codes_left', {
                  left: formatCount(guards.recovery_codes, presentation),
                  all: formatCount(guards.recovery_codes_of, presentation),
                })}
              </span>
              <Button look="plain" size="small" onClick={() => ask('codes')}>
                {t('security.make_new')}
              </Button>
            </p>
          </MoneyNote>
        )}
        {guards.withdrawals_wait_until && (
          <MoneyNote tone="warn" icon="clock">
            {t('security.waits', { time: formatDate(guards.withdrawals_wait_until, 'dateTime', presentation) })}
          </MoneyNote>
        )}
      </Card>

      <Card tight>
        <ListRow
          icon="phone"
          title={t('security.authenticator')}
          note={
            guards.authenticator_since
              ? t('security.since', { time: time(guards.authenticator_since) })
              : t('security.not_on')
          }
          onPress={() => navigate('/pages/mine/security/authenticator')}
        />
        <ListRow
          icon="lock"
          title={t('security.passwords')}
          note={t('security.passwords_note', { login: time(guards.password_changed_at) })}
          onPress={() => navigate('/pages/mine/setting')}
        />
        <ListRow
          icon="mail"
          title={t('word.title')}
          note={
            word.data &&
            (word.data.changed_at ? t('security.since', { time: time(word.data.changed_at) }) : t('word.none'))
          }
          onPress={() => navigate('/pages/mine/security/phishing')}
        />
        <ListRow
          icon="key"
          title={t('security.keys')}
          note={t('security.keys_note')}
          onPress={() => navigate('/pages/mine/security/keys')}
        />
      </Card>

      <Card className="stack security-passkeys">
        <CardHead title={t('security.passkeys')} trail={<Icon name="key" size={20} />} />
        <p className="muted">{t('security.passkeys_note')}</p>
        {guards.passkeys.map((one) => (
          <ListRow
            key={one.id}
            icon="key"
            title={<bdi>{one.name}</bdi>}
            note={one.used_at ? t('security.used', { time: time(one.used_at) }) : t('security.never_used')}
            value={
              <Button
                look="soft"
                size="small"
                aria-label={`${t('payees.remove')} ${one.name}`}
                onClick={() => {
                  setPasskey(one);
                  ask('remove_passkey');
                }}
              >
                {t('payees.remove')}
              </Button>
            }
          />
        ))}
        {hasPasskeySupport() ? (
          <Button look="soft" icon="key" onClick={() => ask('add_passkey')}>
            {t('security.add_passkey')}
          </Button>
        ) : (
          <p className="muted">{t('security.passkey_unsupported')}</p>
        )}
      </Card>

      <Card tight>
        <ListRow icon="person" title={t('security.places')} onPress={() => navigate('/pages/mine/setting/sessions')} />
        <ListRow
          icon="clock"
          title={t('security.logins')}
          onPress={() => navigate('/pages/mine/security/activity', { of: 'logins' })}
        />
        <ListRow
          icon="eye"
          title={t('security.staff')}
          onPress={() => navigate('/pages/mine/security/activity', { of: 'staff' })}
        />
      </Card>
      <Card tight>
        <ListRow
          icon="lock"
          title={t('security.freeze')}
          note={t('security.freeze_note')}
          danger
          onPress={() => ask('freeze')}
        />
      </Card>

      <OwnerSheet
        open={proof.isOpen}
        onClose={proof.close}
        title={titles[doing]}
        asksCode={doing === 'codes' || proof.asksCode}
        factor={factor[doing]}
        codeOnly={doing === 'codes'}
        onProof={(given) => void act[doing](given)}
        busy={start.isBusy || finish.isBusy || remove.isBusy || freeze.isBusy || renew.isBusy}
        refused={proof.refused}
      >
        {doing === 'freeze' && <p className="muted">{t('security.freeze_what')}</p>}
        {doing === 'add_passkey' && (
          <TextField
            label={t('security.passkey_name')}
            name="passkey-name"
            value={name}
            placeholder={deviceName()}
            maxLength={60}
            onChange={(event) => setName(event.target.value)}
            dir="auto"
          />
        )}
      </OwnerSheet>
    </div>
  );
}

/** Warns of a request to remove the second factor. */
function Reset({ reset }: { reset: NonNullable<AccountGuards['reset']> }) {
  const { t, presentation } = useText<'identity'>();
  const { stop, isBusy } = useStopFactorReset();
  const { device, address, asked_at: askedAt, due_at: dueAt } = reset;
  return (
    <Card className="stack" role="alert">
      <MoneyNote
        tone="danger"
        icon="warning"
        title={t('reset.banner', { time: formatDate(dueAt, 'dateTime', presentation) })}
      >
        <p>{t('reset.asked', { time: formatDate(askedAt, 'dateTime', presentation) })}</p>
        <p>{t('reset.from', { device, address })}</p>
      </MoneyNote>
      <Button look="danger" busy={isBusy} onClick={stop}>
        {t('reset.stop')}
      </Button>
    </Card>
  );
}
