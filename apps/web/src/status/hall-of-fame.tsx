import { editUser, listFame, type ResultOf } from '@sathorn/api';
import { failureText, useCall, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar, showToast } from '@sathorn/app/shell';
import { formatCount, formatDate, formatPercent } from '@sathorn/text';
import { Badge, Card, EmptyState, Icon, Money, ProgressBar, Switch, useText } from '@sathorn/ui';
import { useAccount } from '../parts/account/use-account.ts';
import { CardNotLoaded } from '../parts/read/not-loaded.tsx';
import { StatusTexts } from '../parts/status/status-texts.tsx';
import { useSystemConfig } from '../shell/config.ts';
import './status.css';

type FameList = ResultOf<typeof listFame>;

/** `#/pages/index/fame`: the hall of fame. */
export default function HallOfFame() {
  return (
    <StatusTexts>
      <Body />
    </StatusTexts>
  );
}

function Body() {
  const { t } = useText<'status'>();
  const { data, error, refetch } = useRead(listFame, {}, { freshForMs: 60_000 });
  return (
    <>
      <div className="fame-hero">
        <PageBar title={t('fame.title')} />
        {data ? <Lead fame={data} /> : <div className="fame-lead" />}
      </div>
      <div className="page fame-page">
        {data ? (
          <Standings fame={data} />
        ) : (
          <CardNotLoaded read={{ error, refetch }} failed={t('fame.failed')} rows={7} />
        )}
        <Consent />
        {data && <Note consenting={data.consenting} />}
      </div>
    </>
  );
}

/** The figures on the wooden header; the first card overlaps it. */
function Lead({ fame }: { fame: FameList }) {
  const { t, presentation } = useText<'status'>();
  const isDemo = useSystemConfig()?.mode === 'demo';
  const count = (n: number) => formatCount(n, presentation);
  const date = (at: string) => formatDate(at, 'date', presentation);
  // Rounds to the nearest percent, because the formatter would cut off.
  const share = (n: number) => formatPercent((n / fame.customers).toFixed(2), presentation, { maxDecimals: 0 });
  return (
    <div className="fame-lead num">
      <p className="row">
        <span>{t('fame.range', { from: date(fame.from), to: date(fame.to) })}</span>
        {isDemo && <Badge tone="warn">{t('fame.test')}</Badge>}
      </p>
      <div className="row">
        <h2>
          {fame.customers === 0
            ? t('fame.nobody')
            : t('fame.ahead', { ahead: count(fame.ahead), all: count(fame.customers) })}
        </h2>
        <Icon name="crown" size={28} />
      </div>
      {fame.customers > 0 && (
        <>
          <ProgressBar
            share={fame.ahead / fame.customers}
            label={t('fame.share_ahead', { share: share(fame.ahead) })}
            look="gold"
          />
          <p className="row">
            <span>{t('fame.share_ahead', { share: share(fame.ahead) })}</span>
            <span>{t('fame.share_behind', { share: share(fame.behind) })}</span>
          </p>
        </>
      )}
    </div>
  );
}

function Standings({ fame }: { fame: FameList }) {
  const { t, presentation } = useText<'status'>();
  const { navigate } = useNavigation();
  const count = (n: number) => formatCount(n, presentation);
  return (
    <>
      {fame.customers > 0 && (
        <Card>
          <dl className="status-figures num" data-two="">
            <div>
              <dt>{t('fame.together')}</dt>
              <dd>
                <Money amount={fame.total} asset="USDT" signed toned />
              </dd>
            </div>
            <div>
              <dt>{t('fame.median')}</dt>
              <dd>{fame.median === null ? '–' : <Money amount={fame.median} signed toned />}</dd>
            </div>
          </dl>
        </Card>
      )}
      <Card tight>
        {fame.items.length === 0 ? (
          <EmptyState
            picture="crown"
            title={t('fame.empty')}
            action={{ label: t('option.start_trading'), onPress: () => navigate('/pages/Option/Option') }}
          >
            {t('fame.empty_lead')}
          </EmptyState>
        ) : (
          <ol>
            {fame.items.map((person, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: masked names are not unique, and the index is the rank
              <li key={place} className="fame-person">
                <span className="fame-place num">{count(place + 1)}</span>
                <span>
                  <b>
                    <bdi>{person.name}</bdi>
                  </b>
                  <small className="fame-orders muted num">{t('fame.orders', { n: count(person.orders) })}</small>
                </span>
                <b className="num">
                  <Money amount={person.net} signed toned />
                </b>
              </li>
            ))}
          </ol>
        )}
      </Card>
    </>
  );
}

/** Lets a signed-in customer agree to be shown. */
function Consent() {
  const texts = useText();
  const { t } = useText<'status'>();
  const { user, refresh } = useAccount();
  const edit = useCall(editUser);
  if (!user) return null;
  const set = async (isShown: boolean) => {
    const answer = await edit.submit({ public_wins: isShown ? 'true' : 'false' });
    if (answer.ok) refresh();
    else showToast(failureText(answer, texts), 'danger');
  };
  return (
    <Card>
      <Switch
        label={<b>{t('fame.show')}</b>}
        note={t('fame.show_note')}
        checked={user.public_wins}
        disabled={edit.isBusy}
        onChange={(isShown) => void set(isShown)}
      />
    </Card>
  );
}

function Note({ consenting }: { consenting: number }) {
  const { t, presentation } = useText<'status'>();
  return (
    <p className="status-note" data-tone="success">
      <Icon name="shield" size={18} />
      {t('fame.note', { n: formatCount(consenting, presentation) })}
    </p>
  );
}
