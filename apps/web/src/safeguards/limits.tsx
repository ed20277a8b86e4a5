import {
  cancelOwnLimit,
  type OwnLimitView,
  type ResultOf,
  readSafeguards,
  type Safeguards,
  setRealityCheck,
  TIME_OUT_PERIODS,
  takeBreak,
} from '@sathorn/api';
import { useCall, useRead } from '@sathorn/app/client';
import { Late } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { practiceOf } from '@sathorn/app/practice';
import { showToast } from '@sathorn/app/shell';
import { durationText, formatDate } from '@sathorn/text';
import {
  Button,
  Card,
  Confirm,
  ListRow,
  ProgressBar,
  RadioList,
  Sheet,
  SkeletonRows,
  Tabs,
  useText,
} from '@sathorn/ui';
import { useState } from 'react';
import { MoneyNote } from '../parts/money/note.tsx';
import { CardNotLoaded } from '../parts/read/not-loaded.tsx';
import { limitFigureOf, limitLeftOf, usedShareOf } from './limit-figures.ts';
import { notifyOwnLimitsChanged } from './own-limits-changed.ts';
import { SafeguardTexts } from './safeguard-texts.tsx';

const loadAccount = () => import('./account-limits.tsx');
const EVERY = ['never', '15', '30', '60', '120'] as const;
type Every = (typeof EVERY)[number];

/** `#/pages/mine/limits`: the customer's own limits with their used parts, and the account's limits. */
export default function Limits() {
  return (
    <SafeguardTexts>
      <Page />
    </SafeguardTexts>
  );
}

function Page() {
  const { t } = useText<'safeguards'>();
  const texts = useText();
  const { query } = useNavigation();
  const [tab, setTab] = useState<'own' | 'account'>(query.get('of') === 'account' ? 'account' : 'own');
  return (
    <div className="page">
      <Tabs
        label={texts.t('screen.limits')}
        value={tab}
        onChange={setTab}
        panelId="limits"
        tabs={[
          { value: 'own', label: t('own.tab') },
          // Those of withdrawals.
          ...(practiceOf === null ? [{ value: 'account' as const, label: t('own.account_tab') }] : []),
        ]}
      />
      <div className="stack" id="limits" role="tabpanel">
        {tab === 'own' ? <Own /> : <Late load={loadAccount} waiting={<SkeletonRows rows={6} label="" />} />}
      </div>
    </div>
  );
}

function Own() {
  const texts = useText();
  const { data, error, refetch } = useRead(readSafeguards, {}, { freshForMs: 0 });
  if (data) return <Loaded data={data} refresh={() => void refetch()} />;
  return <CardNotLoaded read={{ error, refetch }} failed={texts.t('mine.failed')} rows={7} />;
}

function Loaded({ data, refresh }: { data: ResultOf<typeof readSafeguards>; refresh: () => void }) {
  const texts = useText();
  const { t, presentation } = useText<'safeguards'>();
  const { navigate } = useNavigation();
  const [length, setLength] = useState<(typeof TIME_OUT_PERIODS)[number] | null>(null);
  const [isChoosing, setChoosing] = useState(false);
  const rest = useCall(takeBreak);
  const reality = useCall(setRealityCheck);
  const every: Every = data.reality_minutes === null ? 'never' : (String(data.reality_minutes) as Every);
  const everyText = (one: Every) =>
    one === 'never' ? t('reality.never') : t('reality.every', { time: durationText(Number(one) * 60, presentation) });
  const begin = async () => {
    if (length === null) return;
    const done = await rest.submit({ length });
    setLength(null);
    if (done.ok) refresh();
  };
  const choose = async (one: Every) => {
    setChoosing(false);
    const done = await reality.submit(one === 'never' ? {} : { minutes: one });
    if (!done.ok) return;
    notifyOwnLimitsChanged();
    refresh();
  };
  return (
    <>
      {data.pause && (
        <MoneyNote tone="warn" icon="clock">
          {t(data.pause.kind === 'time_out' ? 'pause.now' : 'exclude.now', {
            until: formatDate(data.pause.until, 'dateTime', presentation),
          })}
        </MoneyNote>
      )}
      <Card tight>
        {data.limits.map((limit) => (
          <OwnLimitRow key={limit.kind} limit={limit} />
        ))}
      </Card>
      {data.limits.map((limit) => limit.pending && <Waiting key={limit.kind} limit={limit} refresh={refresh} />)}
      <MoneyNote>{t('own.what_counts')}</MoneyNote>
      <Card tight>
        <ListRow
          icon="bell"
          title={t('reality.title')}
          note={t('reality.note')}
          value={everyText(every)}
          onPress={() => setChoosing(true)}
        />
      </Card>
      {!data.pause && (
        <Card className="stack">
          <div>
            <b>{t('pause.title')}</b>
            <p className="muted">{t('pause.note')}</p>
          </div>
          <div className="own-breaks">
            {TIME_OUT_PERIODS.map((one) => (
              <Button key={one} look="soft" size="small" onClick={() => setLength(one)}>
                {t(`pause.${one}`)}
              </Button>
            ))}
          </div>
        </Card>
      )}
      {data.pause?.kind !== 'self_exclusion' && (
        <Card tight>
          <ListRow
            icon="ban"
            title={t('exclude.title')}
            note={t('exclude.note')}
            danger
            onPress={() => navigate('/pages/mine/limits/exclude')}
          />
        </Card>
      )}
      <Sheet open={isChoosing} onClose={() => setChoosing(false)} title={t('reality.title')}>
        <RadioList<Every>
          legend={t('reality.title')}
          name="reality"
          value={every}
          onChange={(one) => void choose(one)}
          choices={EVERY.map((value) => ({ value, label: everyText(value) }))}
        />
      </Sheet>
      <Confirm
        open={length !== null}
        title={length ? t('pause.ask', { length: t(`pause.${length}`) }) : ''}
        confirmLabel={t('pause.begin')}
        cancelLabel={texts.t('shell.cancel')}
        onConfirm={() => void begin()}
        onCancel={() => setLength(null)}
        busy={rest.isBusy}
      >
        {t('pause.what')}
      </Confirm>
    </>
  );
}

function OwnLimitRow({ limit }: { limit: OwnLimitView }) {
  const { t, presentation } = useText<'safeguards'>();
  const { navigate } = useNavigation();
  const { kind, value, used } = limit;
  const left = limitLeftOf(limit);
  const figure = (text: string) => limitFigureOf(kind, text, { t, presentation });
  return (
    <div className="own-limit">
      <div className="row num">
        <b>{t(`own.${kind}`)}</b>
        <span className="row">
          <b>{value === null ? <span className="muted">{t('own.none')}</span> : <bdi>{figure(value)}</bdi>}</b>
          <Button
            look="plain"
            size="small"
            aria-label={`${t(value === null ? 'own.set' : 'own.change')}: ${t(`own.${kind}`)}`}
            onClick={() => navigate('/pages/mine/limits/change', { kind })}
          >
            {t(value === null ? 'own.set' : 'own.change')}
          </Button>
        </span>
      </div>
      {value !== null && (
        <>
          <ProgressBar
            share={usedShareOf(limit)}
            label={t(`own.${kind}`)}
            look={usedShareOf(limit) >= 0.8 ? 'amber' : 'brand'}
          />
          <p className="row cap num">
            <span>{t(kind === 'stake_option' ? 'own.largest' : 'own.used', { amount: figure(used) })}</span>
            <span>{left === null ? t('own.at_limit') : t('own.left', { amount: figure(left) })}</span>
          </p>
        </>
      )}
    </div>
  );
}

function Waiting({ limit, refresh }: { limit: Safeguards['limits'][number]; refresh: () => void }) {
  const { t, presentation } = useText<'safeguards'>();
  const cancel = useCall(cancelOwnLimit);
  const { pending, kind } = limit;
  if (!pending) return null;
  const value = pending.value === null ? t('own.none') : limitFigureOf(kind, pending.value, { t, presentation });
  const undo = async () => {
    const done = await cancel.submit({ id: pending.id });
    if (done.ok) showToast(t('own.undone'), 'success');
    refresh();
  };
  return (
    <Card tight>
      <ListRow
        icon="clock"
        title={t('own.pending', { limit: t(`own.${kind}`), value })}
        note={t('own.holds_from', { time: formatDate(pending.from, 'dateTime', presentation) })}
        value={
          <Button look="plain" size="small" busy={cancel.isBusy} onClick={() => void undo()}>
            {t('own.undo')}
          </Button>
        }
      />
    </Card>
  );
}
