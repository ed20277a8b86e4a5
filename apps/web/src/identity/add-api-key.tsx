import {
  addApiKey,
  KEY_ADDRESSES_MAX,
  KEY_DAYS,
  KEY_NAME_MAX,
  KEY_SCOPES,
  listApiKeys,
  OWN_SUBJECT,
  type ResultOf,
  type User,
} from '@sathorn/api';
import { readQueryKey } from '@sathorn/app/client';
import { FormPage, useCallForm } from '@sathorn/app/forms';
import { useNavigation } from '@sathorn/app/navigation';
import { formatCount, formatDate } from '@sathorn/text';
import { Button, Card, CardHead, ErrorState, FieldFrame, RadioList, Switch, TextField, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { AccountGate } from '../parts/account/account-gate.tsx';
import { StateHead } from '../parts/account/state-head.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { useCopyText } from '../parts/money/copy.tsx';
import { MoneyFacts } from '../parts/money/facts.tsx';
import { MoneyNote } from '../parts/money/note.tsx';
import { OwnerSheet } from './owner-sheet.tsx';
import { useOwnerProof } from './use-owner-proof.ts';
import './api-keys.css';

type Made = ResultOf<typeof addApiKey>;

const DAYS = [7, 30, KEY_DAYS, 180, 365];
const EXAMPLE = '203.0.113.7, 2001:db8::/32';

interface Values {
  name: string;
  scopes: string;
  signs: 'ed25519' | 'hmac';
  public_key: string;
  addresses: string;
  days: string;
  paypass: string;
  otp: string;
}

/** The form that makes an API key, and then the key with its secret, which is shown once. */
export default function AddApiKey() {
  return <AccountGate>{(user) => <Loaded user={user} />}</AccountGate>;
}

function Loaded({ user }: { user: User }) {
  const texts = useText();
  const { t } = useText<'keys'>();
  const { navigate, back } = useNavigation();
  const [made, setMade] = useState<Made | null>(null);
  if (made) return <MadeKey made={made} onKept={back} />;
  if (user.has_paypass && user.second_factor) return <KeyForm onMade={setMade} />;
  return (
    <div className="page">
      <Card>
        {user.has_paypass ? (
          <ErrorState
            icon="shield"
            title={t('api_keys.need_factor')}
            action={{ label: t('api_keys.to_security'), onPress: () => navigate('/pages/mine/security') }}
          />
        ) : (
          <ErrorState
            icon="key"
            title={t('api_keys.need_paypass')}
            action={{ label: texts.t('setting.set_paypass'), onPress: () => navigate('/pages/mine/setting/paypass') }}
          />
        )}
      </Card>
    </div>
  );
}

function KeyForm({ onMade }: { onMade: (made: Made) => void }) {
  const { t, presentation } = useText<'keys'>();
  const queries = useQueryClient();
  const proof = useOwnerProof(true);
  const { form, errorOf, check, send, isBusy, refusal } = useCallForm<typeof addApiKey, Values>(addApiKey, {
    initial: {
      name: '',
      scopes: 'read',
      signs: 'ed25519',
      public_key: '',
      addresses: '',
      days: String(KEY_DAYS),
      paypass: '',
      otp: '',
    },
    request: ({ signs, public_key: publicKey, paypass, otp, addresses, ...typed }) => ({
      ...typed,
      ...(addresses.trim() && { addresses }),
      ...(signs === 'ed25519' && { public_key: publicKey }),
      // The payment password comes later, so the form's check uses a placeholder.
      paypass: paypass || '000000',
      ...(otp && { otp }),
    }),
    onRefused: proof.takeRefusal,
    onDone: (made) => {
      proof.close();
      void queries.invalidateQueries({ queryKey: readQueryKey(listApiKeys) });
      onMade(made);
    },
  });
  const { name, scopes, signs, days, addresses } = form.values;
  const granted = KEY_SCOPES.filter((scope) => scopes.split(',').includes(scope));
  const switchScope = (scope: (typeof KEY_SCOPES)[number], isOn: boolean) =>
    form.set('scopes', KEY_SCOPES.filter((one) => (one === scope ? isOn : granted.includes(one))).join(','));
  const ask = (event: FormEvent) => {
    if (check(event)) proof.ask();
  };
  return (
    <>
      <FormPage onSubmit={ask} submitLabel={t('api_keys.add')} busy={isBusy} refusal={refusal}>
        <MoneyNote icon="shield">{t('api_keys.never')}</MoneyNote>
        <Card>
          <TextField
            {...form.field('name')}
            label={t('api_keys.name')}
            hint={t('api_keys.name_hint')}
            error={errorOf('name')}
            maxLength={KEY_NAME_MAX}
            autoComplete="off"
            dir="auto"
          />
        </Card>
        <Card>
          <CardHead title={t('api_keys.scopes')} />
          {KEY_SCOPES.map((scope) => (
            <Switch
              key={scope}
              label={t(`api_keys.scope.${scope}`)}
              note={t(`api_keys.scope_note.${scope}`)}
              checked={granted.includes(scope)}
              onChange={(isOn) => switchScope(scope, isOn)}
            />
          ))}
          {errorOf('scopes') && (
            <p className="api-key-fault" role="alert">
              {t('api_keys.scope_required')}
            </p>
          )}
        </Card>
        <Card className="stack">
          <CardHead title={t('api_keys.signs')} />
          <RadioList
            legend={t('api_keys.signs')}
            name="signs"
            value={signs}
            onChange={(value) => form.set('signs', value)}
            choices={(['ed25519', 'hmac'] as const).map((value) => ({
              value,
              label: t(`api_keys.signs.${value}`),
              note: t(`api_keys.signs_note.${value}`),
            }))}
          />
          {signs === 'ed25519' && (
            <FieldFrame
              label={t('api_keys.public_key')}
              hint={t('api_keys.public_key_hint')}
              error={errorOf('public_key') && t('api_keys.public_key_fault')}
            >
              {(ties) => (
                <div className="ui-field-well">
                  <textarea
                    {...form.field('public_key')}
                    {...ties}
                    className="api-key-text"
                    dir="ltr"
                    rows={3}
                    spellCheck={false}
                    autoComplete="off"
                  />
                </div>
              )}
            </FieldFrame>
          )}
        </Card>
        <Card className="stack">
          <TextField
            {...form.field('addresses')}
            label={t('api_keys.addresses')}
            hint={t('api_keys.addresses_hint', { example: `\u2066${EXAMPLE}\u2069` })}
            error={
              errorOf('addresses') &&
              t('api_keys.addresses_fault', { max: formatCount(KEY_ADDRESSES_MAX, presentation) })
            }
            autoComplete="off"
            inputMode="text"
            dir="ltr"
          />
          <SelectField {...form.field('days')} label={t('api_keys.days')} error={errorOf('days')}>
            {DAYS.map((count) => (
              <option key={count} value={count}>
                {t('api_keys.days_of', { count, days: formatCount(count, presentation) })}
              </option>
            ))}
          </SelectField>
        </Card>
      </FormPage>
      <OwnerSheet
        open={proof.isOpen}
        onClose={proof.close}
        title={t('api_keys.add')}
        asksCode={proof.asksCode}
        factor={{ operation: 'api_key', subject: OWN_SUBJECT }}
        onProof={({ paypass, otp = '' }) => void send({ paypass, otp })}
        busy={isBusy}
        refused={proof.refused}
      >
        <MoneyFacts
          facts={[
            { key: 'name', name: t('api_keys.name'), value: name },
            {
              key: 'scopes',
              name: t('api_keys.scopes'),
              value: granted.map((scope) => t(`api_keys.scope.${scope}`)).join(' + '),
            },
            {
              key: 'addresses',
              name: t('api_keys.addresses_short'),
              value: addresses.trim() === '' ? t('api_keys.any_address') : addresses,
            },
            {
              key: 'days',
              name: t('api_keys.days'),
              value: t('api_keys.days_of', { count: Number(days), days: formatCount(Number(days), presentation) }),
            },
          ]}
        />
      </OwnerSheet>
    </>
  );
}

/** The new key, and its secret if the platform made it. It can't be shown again. */
function MadeKey({ made: { key, secret }, onKept }: { made: Made; onKept: () => void }) {
  const { t, presentation } = useText<'keys'>();
  const copy = useCopyText();
  return (
    <div className="page">
      <Card className="stack">
        <StateHead
          icon="key"
          isOn
          title={t('api_keys.made')}
          note={t('api_keys.ends', { time: formatDate(key.ends_at, 'dateTime', presentation) })}
        />
        <MoneyFacts
          facts={[
            { key: 'name', name: t('api_keys.name'), value: key.name },
            { key: 'id', name: t('api_keys.id'), value: key.id, copy: { text: key.id, label: t('api_keys.copy_id') } },
          ]}
        />
        {secret !== null && (
          <>
            <MoneyNote tone="warn" icon="warning" title={t('api_keys.secret')}>
              <bdi className="mono api-key-secret" dir="ltr">
                {secret}
              </bdi>
              <p>{t('api_keys.secret_once')}</p>
            </MoneyNote>
            <Button look="soft" icon="copy" onClick={() => void copy(secret)}>
              {t('api_keys.copy_secret')}
            </Button>
          </>
        )}
        <p className="api-keys-docs">
          <a href="/api/docs/keys" target="_blank" rel="noreferrer">
            {t('api_keys.docs')}
          </a>
        </p>
        <Button icon="check" onClick={onKept}>
          {t(secret === null ? 'api_keys.done' : 'api_keys.kept')}
        </Button>
      </Card>
    </div>
  );
}
