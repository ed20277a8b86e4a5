import { EXCLUSION_PERIODS, excludeMyself, readSafeguards } from '@sathorn/api';
import { readQueryKey, useCall, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import { formatCount, formatDate } from '@sathorn/text';
import { Button, Card, Icon, Tabs, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MoneyNote } from '../parts/money/note.tsx';
import { PageFoot } from '../parts/money/page-foot.tsx';
import { useSystemConfig } from '../shell/config.ts';
import { SafeguardTexts } from './safeguard-texts.tsx';

const MONTHS = { '6_months': 6, '1_year': 12, '5_years': 60 } as const;
const STOPS = ['trading', 'earning', 'deposits'] as const;
const STAYS = ['withdrawals', 'income', 'options', 'records'] as const;

/** `#/pages/mine/limits/exclude`: what stops, what continues, and until when. */
export default function ExcludeMyself() {
  return (
    <SafeguardTexts>
      <Page />
    </SafeguardTexts>
  );
}

function untilOf(months: number): Date {
  const date = new Date();
  const day = date.getDate();
  date.setMonth(date.getMonth() + months);
  // Counts like the server: to the last day of a shorter month, not to the first days of the next.
  if (date.getDate() !== day) date.setDate(0);
  return date;
}

function Page() {
  const { t, presentation } = useText<'safeguards'>();
  const { back } = useNavigation();
  const queries = useQueryClient();
  const { data } = useRead(readSafeguards, {});
  const help = useSystemConfig()?.help_line;
  const [length, setLength] = useState<(typeof EXCLUSION_PERIODS)[number]>('6_months');
  const exclude = useCall(excludeMyself);
  const until = formatDate(untilOf(MONTHS[length]).getTime(), 'date', presentation);
  const send = async () => {
    const done = await exclude.submit({ length });
    if (!done.ok) return;
    queries.setQueriesData({ queryKey: readQueryKey(readSafeguards) }, done.data);
    back();
  };
  return (
    <>
      <PageBar title={t('exclude.title')} />
      <div className="page">
        <Card className="stack">
          <span className="muted">{t('exclude.for')}</span>
          <Tabs
            label={t('exclude.for')}
            value={length}
            onChange={setLength}
            tabs={EXCLUSION_PERIODS.map((value) => ({ value, label: t(`exclude.${value}`) }))}
          />
          <p className="num">{t('exclude.until', { date: until })}</p>
        </Card>
        <Card>
          <h2 className="own-list-head own-stops">
            <Icon name="ban" size={20} />
            {t('exclude.stops')}
          </h2>
          <ul className="own-list">
            {STOPS.map((what) => (
              <li key={what}>
                <span className="own-stops">
                  <Icon name="cross" size={16} />
                </span>
                {t(`exclude.stops.${what}`)}
              </li>
            ))}
          </ul>
          <h2 className="own-list-head own-stays">
            <Icon name="shield" size={20} />
            {t('exclude.stays')}
          </h2>
          <ul className="own-list">
            {STAYS.map((what) => (
              <li key={what}>
                <span className="own-stays">
                  <Icon name="check" size={16} />
                </span>
                {what === 'options'
                  ? t('exclude.stays.options', { open: formatCount(data?.open_options ?? 0, presentation) })
                  : t(`exclude.stays.${what}`)}
              </li>
            ))}
          </ul>
        </Card>
        <MoneyNote tone="warn" icon="warning">
          {t('exclude.nobody')}
        </MoneyNote>
        {help && (
          <Card className="own-help">
            <span>
              <b className="num">
                <bdi>{help}</bdi>
              </b>
              <span className="cap">{t('exclude.help')}</span>
            </span>
            <a className="own-call" href={`tel:${help}`}>
              {t('exclude.call')}
            </a>
          </Card>
        )}
      </div>
      <PageFoot>
        <Button look="danger" busy={exclude.isBusy} onClick={() => void send()}>
          {t('exclude.begin', { date: until })}
        </Button>
      </PageFoot>
    </>
  );
}
