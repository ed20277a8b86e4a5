import { OWN_LIMITS, type OwnLimit, readSafeguards, setOwnLimit } from '@sathorn/api';
import { failureText, readQueryKey, useCall, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar, showToast } from '@sathorn/app/shell';
import { formatDate } from '@sathorn/text';
import { AmountField, Button, Card, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MoneyNote } from '../parts/money/note.tsx';
import { PageFoot } from '../parts/money/page-foot.tsx';
import { isTimeLimit, limitFigureOf } from './limit-figures.ts';
import { notifyOwnLimitsChanged } from './own-limits-changed.ts';
import { SafeguardTexts } from './safeguard-texts.tsx';

/** `#/pages/mine/limits/change`: one limit. A stricter limit holds at once, a looser one after a day. */
export default function ChangeLimit() {
  return (
    <SafeguardTexts>
      <Page />
    </SafeguardTexts>
  );
}

function Page() {
  const texts = useText();
  const { t, presentation } = useText<'safeguards'>();
  const { query, back } = useNavigation();
  const queries = useQueryClient();
  const { data } = useRead(readSafeguards, {});
  const set = useCall(setOwnLimit, { quiet: true });
  const [value, setValue] = useState('');
  const [error, setError] = useState<string>();
  const kind: OwnLimit = OWN_LIMITS.find((one) => one === query.get('kind')) ?? 'loss_day';
  const limit = data?.limits.find((one) => one.kind === kind);
  const send = async (wanted: string | null) => {
    setError(undefined);
    const done = await set.submit({ kind, ...(wanted !== null && { value: wanted }) });
    if (!done.ok) return setError(done.fields.value ?? failureText(done, texts));
    queries.setQueriesData({ queryKey: readQueryKey(readSafeguards) }, done.data);
    notifyOwnLimitsChanged();
    const pending = done.data.limits.find((one) => one.kind === kind)?.pending;
    showToast(
      pending ? t('own.holds_from', { time: formatDate(pending.from, 'dateTime', presentation) }) : t('own.holds_now'),
      'success',
    );
    back();
  };
  return (
    <>
      <PageBar title={t(`own.${kind}`)} />
      <div className="page">
        <Card className="stack">
          {limit?.value && (
            <p className="muted num">
              {t('own.in_force', { value: limitFigureOf(kind, limit.value, { t, presentation }) })}
            </p>
          )}
          <AmountField
            label={t(`own.${kind}`)}
            labelUnseen
            name="value"
            unit={isTimeLimit(kind) ? t('own.minutes') : 'USDT'}
            scale={isTimeLimit(kind) ? 0 : 6}
            value={value}
            onChange={setValue}
            faultText={(what) => texts.t(`amount.${what}`)}
            error={error}
          />
          <p className="muted">{t(`own.${kind}.note`)}</p>
        </Card>
        <MoneyNote icon="clock">{t('own.rule')}</MoneyNote>
      </div>
      <PageFoot>
        <Button busy={set.isBusy} disabled={value === ''} onClick={() => void send(value)}>
          {t('own.save')}
        </Button>
        {limit?.value && (
          <Button look="plain" busy={set.isBusy} onClick={() => void send(null)}>
            {t('own.remove')}
          </Button>
        )}
      </PageFoot>
    </>
  );
}
