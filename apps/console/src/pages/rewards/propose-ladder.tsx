import { listProducts, proposeProduct } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { brand } from '#brand';
import { Field, TextArea } from '../../parts/field.tsx';
import { Facts } from '../../parts/parts.tsx';
import { RefusalNote, SkeletonList } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useProposal } from '../../use-proposal.ts';

type Days = readonly { readonly points: string; readonly usdt: string }[];
const HALF_HOUR_MS = 1_800_000;
/** A day of notice, plus about an hour to reach the approver. */
const NOTICE_MS = 25 * 3_600_000 + 300_000;

/** The first midnight in the brand's time zone that is at least `NOTICE_MS` away. */
function firstMidnight(now: number): Date {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: brand.timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  let ms = Math.ceil((now + NOTICE_MS) / HALF_HOUR_MS) * HALF_HOUR_MS;
  while (clock.format(ms) !== '00:00') ms += HALF_HOUR_MS;
  return new Date(ms);
}

/** Proposes new rewards for the seven days of the ladder, starting at a midnight in the brand's time zone. */
export function ProposeLadder() {
  const { data } = useRead(listProducts, { kind: 'ladder' }, { everyMs: 5_000 });
  const inForce = data?.items.find(({ kind }) => kind === 'ladder')?.in_force;
  if (!data) return <SkeletonList rows={4} />;
  const days = (inForce?.fields as { days?: Days } | undefined)?.days;
  return (
    <Form key={inForce?.version ?? 0} first={days ?? Array.from({ length: 7 }, () => ({ points: '5', usdt: '0' }))} />
  );
}

function Form({ first }: { first: Days }) {
  const { t, dateTime } = useTexts();
  const [days, setDays] = useState(first);
  const [reason, setReason] = useState('');
  const [isDone, setDone] = useState(false);
  const act = useProposal(proposeProduct, t('rewards.ask'), () => setDone(true));
  const from = firstMidnight(Date.now());
  const change = (n: number, next: Partial<Days[number]>) =>
    setDays(days.map((day, place) => (place === n ? { ...day, ...next } : day)));
  const propose = () => {
    setDone(false);
    return act.propose({
      kind: 'ladder',
      subject: 'daily',
      fields: JSON.stringify({ days }),
      effective_from: from.toISOString(),
      reason,
    });
  };
  return (
    <>
      {days.map((day, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the index is the day of the ladder
        <div key={n} className="row wrap">
          <Field
            label={t('rewards.day_points', { day: n + 1 })}
            inputMode="numeric"
            value={day.points}
            onChange={({ target }) => change(n, { points: target.value })}
          />
          <Field
            label={t('rewards.day_usdt', { day: n + 1 })}
            inputMode="decimal"
            value={day.usdt}
            onChange={({ target }) => change(n, { usdt: target.value })}
          />
        </div>
      ))}
      <p className="m">{t('rewards.from', { time: dateTime(from.toISOString()) })}</p>
      <TextArea label={t('rewards.reason')} value={reason} onChange={({ target }) => setReason(target.value)} />
      <RefusalNote refused={act.refused} />
      {isDone && (
        <p className="note" data-look="ok" role="status">
          {t('rewards.proposed')}
        </p>
      )}
      <Button busy={act.isBusy} disabled={reason.trim() === ''} onClick={() => void propose()}>
        {t('rewards.ask')}
      </Button>
      {act.signing && (
        <StepUp {...act.signing}>
          <Facts
            facts={[
              ...days.map(
                ({ points, usdt }, n) => [t('rewards.day_points', { day: n + 1 }), `${points} · ${usdt} USDT`] as const,
              ),
              [t('terms.effective'), dateTime(from.toISOString())],
              [t('rewards.reason'), reason],
            ]}
          />
        </StepUp>
      )}
    </>
  );
}
