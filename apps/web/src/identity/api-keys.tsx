import { type ApiKey, listApiKeys, type ResultOf, removeApiKey } from '@sathorn/api';
import { useCall, useRead } from '@sathorn/app/client';
import { Late } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar, showToast } from '@sathorn/app/shell';
import { formatCount, formatDate } from '@sathorn/text';
import { Badge, Button, Card, CardHead, Confirm, EmptyState, ListRow, useText } from '@sathorn/ui';
import { useState } from 'react';
import { MoneyNote } from '../parts/money/note.tsx';
import { NotLoaded, PageNotLoaded } from '../parts/read/not-loaded.tsx';
import { KeyTexts } from './key-texts.tsx';
import './api-keys.css';

const loadForm = () => import('./add-api-key.tsx');

type Refused = ResultOf<typeof listApiKeys>['refused'][number];

const ADD = '/pages/mine/security/keys/add';

/**
 * `#/pages/mine/security/keys`: the customer's API keys, and the requests that were refused to them. Below it, at
 * `/add`, the form for a new key.
 */
export default function ApiKeys() {
  const { address } = useNavigation();
  return <KeyTexts>{address.startsWith(ADD) ? <Form /> : <Page />}</KeyTexts>;
}

function Form() {
  const { t } = useText<'keys'>();
  return (
    <>
      <PageBar title={t('api_keys.add')} />
      <Late load={loadForm} waiting={<PageNotLoaded read={{ error: null, refetch: () => undefined }} />} />
    </>
  );
}

function Page() {
  const texts = useText();
  const { t } = useText<'keys'>();
  const { navigate } = useNavigation();
  const { data, error, refetch } = useRead(listApiKeys, {}, { freshForMs: 0 });
  const remove = useCall(removeApiKey);
  const [removing, setRemoving] = useState<ApiKey | null>(null);
  const add = () => navigate(ADD);
  const confirmRemoval = async () => {
    if (removing === null) return;
    const answer = await remove.submit({ id: removing.id });
    setRemoving(null);
    if (answer.ok) showToast(t('api_keys.removed'), 'success');
    void refetch();
  };
  return (
    <>
      <PageBar title={t('api_keys.title')} />
      <div className="page">
        <p className="api-keys-lead">{t('api_keys.lead')}</p>
        <MoneyNote icon="shield">{t('api_keys.never')}</MoneyNote>
        {data && data.items.length > 0 ? (
          <Card tight className="api-keys">
            {data.items.map((key) => (
              <KeyRow key={key.id} of={key} onRemove={() => setRemoving(key)} />
            ))}
          </Card>
        ) : (
          <Card>
            {data ? (
              <EmptyState title={t('api_keys.none')} />
            ) : (
              <NotLoaded read={{ error, refetch }} failed={t('api_keys.failed')} rows={3} />
            )}
          </Card>
        )}
        {data && (
          <Button icon="key" onClick={add}>
            {t('api_keys.add')}
          </Button>
        )}
        {data && data.refused.length > 0 && <Refusals rows={data.refused} />}
        <p className="api-keys-docs">
          <a href="/api/docs/keys" target="_blank" rel="noreferrer">
            {t('api_keys.docs')}
          </a>
        </p>
      </div>
      <Confirm
        open={removing !== null}
        title={t('api_keys.remove_ask')}
        confirmLabel={t('api_keys.remove')}
        cancelLabel={texts.t('shell.cancel')}
        onConfirm={confirmRemoval}
        onCancel={() => setRemoving(null)}
        danger
        busy={remove.isBusy}
      >
        <bdi>{removing?.name}</bdi>
        <br />
        {t('api_keys.remove_what')}
      </Confirm>
    </>
  );
}

function KeyRow({ of: key, onRemove }: { of: ApiKey; onRemove: () => void }) {
  const { t, presentation } = useText<'keys'>();
  const { id, name, scopes, addresses, state, uses, used_at: usedAt, used_address: usedAddress } = key;
  const time = (at: string) => formatDate(at, 'dateTime', presentation);
  const isActive = state === 'active';
  return (
    <ListRow
      icon="key"
      title={
        <span className="api-key-head">
          <bdi id={`key-${id}`}>{name}</bdi>
          {isActive &&
            scopes.map((scope) => (
              <Badge key={scope} tone={scope === 'trade' ? 'warn' : 'plain'}>
                {t(`api_keys.scope.${scope}`)}
              </Badge>
            ))}
        </span>
      }
      note={
        <>
          <span className="api-key-line">
            {usedAt === null
              ? t('api_keys.never_used')
              : t('api_keys.used', { time: time(usedAt), address: usedAddress ?? '' })}
          </span>
          {uses > 0 && (
            <span className="api-key-line">
              {t('api_keys.uses', { count: uses, uses: formatCount(uses, presentation) })}
            </span>
          )}
          {isActive && (
            <span className="api-key-line">
              {addresses.length === 0 ? t('api_keys.any_address') : <bdi dir="ltr">{addresses.join(', ')}</bdi>}
            </span>
          )}
          <span className="api-key-line" data-over={isActive ? undefined : ''}>
            {isActive ? t('api_keys.ends', { time: time(key.ends_at) }) : t(`api_keys.state.${state}`)}
          </span>
        </>
      }
      value={
        isActive ? (
          <Button size="small" look="soft" aria-describedby={`key-${id}`} onClick={onRemove}>
            {t('api_keys.remove')}
          </Button>
        ) : undefined
      }
    />
  );
}

/** The security log of the keys: what was refused, why, from where and how often. */
function Refusals({ rows }: { rows: readonly Refused[] }) {
  const { t, presentation } = useText<'keys'>();
  return (
    <Card>
      <CardHead title={t('api_keys.refused')} />
      <div className="api-keys">
        {rows.map((row) => (
          <ListRow
            key={`${row.key} ${row.refusal} ${row.address} ${row.first_at}`}
            icon="warning"
            title={t(`api_keys.reason.${row.refusal}`)}
            note={
              <>
                <span className="api-key-line">
                  <bdi>{row.name}</bdi>
                </span>
                <span className="api-key-line">
                  {row.address === '' ? t('api_keys.many_addresses') : <bdi dir="ltr">{row.address}</bdi>}
                </span>
                <span className="api-key-line">{formatDate(row.last_at, 'dateTime', presentation)}</span>
              </>
            }
            value={t('api_keys.times', { count: row.count, times: formatCount(row.count, presentation) })}
          />
        ))}
      </div>
    </Card>
  );
}
