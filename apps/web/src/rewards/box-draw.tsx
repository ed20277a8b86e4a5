import { type Draw, listBoxes, listDraws, seedDraw } from '@sathorn/api';
import { callServer, readQueryKey, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import { serverNowMs } from '@sathorn/app/stream';
import { formatCount, formatDate } from '@sathorn/text';
import { Icon, type IconName, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { readKeptDraw } from '../parts/evidence/kept-draws.ts';
import { PageNotLoaded } from '../parts/read/not-loaded.tsx';
import { BoxPicture } from './box-picture.tsx';
import { DrawResult } from './draw-result.tsx';
import { RewardTexts } from './reward-texts.tsx';

const POLL_MS = 1_000;
/** The minimum duration of the opening animation, shown to a customer who has just paid and saw the box closed. */
const OPENING_MS = 2_600;

/** `#/pages/blindbox/draw`: the opening animation, then the prize and how to verify it. */
export default function BoxDraw() {
  return (
    <RewardTexts>
      <OneDraw />
    </RewardTexts>
  );
}

const wantsNoMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

function OneDraw() {
  const texts = useText();
  const { query, redirect } = useNavigation();
  const queries = useQueryClient();
  const id = query.get('id') ?? '';
  const [isOpening, setOpening] = useState(false);
  const [isWaiting, setWaiting] = useState(true);
  const { data, error, refetch } = useRead(listDraws, { id }, { freshForMs: 0, everyMs: isWaiting ? POLL_MS : false });
  const draw = data?.items[0];
  const state = draw?.state;
  const isUnseeded = draw !== undefined && draw.state === 'open' && draw.client_seed === null;
  const seedUntil = draw?.seed_until;

  // An address without a draw of this customer would otherwise load for ever.
  const isMissing = id === '' || (data !== undefined && draw === undefined);
  useEffect(() => {
    if (isMissing) redirect('/pages/blindbox/records');
  }, [isMissing, redirect]);

  // The app sends its own seed after it has the signed reservation, even if it was closed in between.
  useEffect(() => {
    const own = readKeptDraw(id);
    if (!isUnseeded || !own || seedUntil === undefined || serverNowMs() > Date.parse(seedUntil)) return;
    void callServer(seedDraw, { id, client_seed: own.clientSeed }).then(() => refetch());
  }, [id, isUnseeded, seedUntil, refetch]);

  useEffect(() => {
    if (state === undefined) return;
    setWaiting(state === 'open');
    if (state === 'open') setOpening(true);
    else
      for (const call of [listBoxes, listDraws])
        void queries.invalidateQueries({ queryKey: readQueryKey(call), refetchType: 'none' });
  }, [state, queries]);

  // Delays the prize until the opening animation has ended. Without it the prize would look like an item of a list.
  useEffect(() => {
    if (!isOpening || state !== 'resolved') return;
    const timer = setTimeout(() => setOpening(false), wantsNoMotion() ? 0 : OPENING_MS);
    return () => clearTimeout(timer);
  }, [isOpening, state]);

  if (!draw)
    return (
      <>
        <PageBar title={texts.t('tab.blind_box')} />
        <PageNotLoaded read={{ error, refetch }} />
      </>
    );
  return draw.state === 'open' || isOpening ? <Opening draw={draw} /> : <DrawResult draw={draw} />;
}

function Opening({ draw }: { draw: Draw }) {
  const { t, presentation } = useText<'rewards'>();
  const { back } = useNavigation();
  const texts = useText();
  const isResolved = draw.state === 'resolved';
  const reservation = JSON.parse(draw.reservation.body) as { c: string; round: string };
  const hasBeacon = draw.round_at !== null;
  return (
    <section className="box-opening" aria-label={t('box.opening')} aria-live="polite">
      <button type="button" className="box-opening-back" aria-label={texts.t('shell.back')} onClick={back}>
        <Icon name="back" flip />
      </button>
      <p className="box-opening-number num">{t('box.number', { number: formatCount(draw.i, presentation) })}</p>
      <div className="box-opening-scene" data-resolved={isResolved ? '' : undefined}>
        <span className="box-rays" />
        <BoxPicture size={220} isOpen={isResolved} />
      </div>
      <ol className="box-steps">
        <Step state="done" title={t('box.step.seed')} note={reservation.c.slice(0, 16)} />
        {draw.client_seed === null ? (
          <Step
            state={isResolved ? 'done' : 'now'}
            title={t(isResolved || !readKeptDraw(draw.id) ? 'box.step.phone_none' : 'box.step.phone')}
          />
        ) : (
          <Step state="done" title={t('box.step.phone')} note={draw.client_seed.slice(0, 16)} />
        )}
        {hasBeacon && (
          <Step
            state={isResolved ? 'done' : 'now'}
            title={t('box.step.public')}
            said={t('box.step.round', { round: formatCount(Number(reservation.round), presentation) })}
            due={isResolved ? null : draw.round_at}
          />
        )}
        <Step state={isResolved ? 'done' : 'waiting'} title={t('box.step.result')} />
      </ol>
      <p className="box-opening-note">{t('box.close_app')}</p>
    </section>
  );
}

const MARKS: Record<'done' | 'now' | 'waiting', IconName> = { done: 'check', now: 'clock', waiting: 'gift' };

function Step({
  state,
  title,
  note,
  said,
  due = null,
}: {
  state: 'done' | 'now' | 'waiting';
  title: string;
  /** A hash. */
  note?: string;
  said?: string;
  due?: string | null;
}) {
  const { presentation } = useText();
  return (
    <li data-state={state}>
      <span className="box-step-mark">
        <Icon name={MARKS[state]} size={14} />
      </span>
      <div>
        <b>{title}</b>
        {note && (
          <bdi className="mono" dir="ltr">
            {note}…
          </bdi>
        )}
        {said && <span className="num">{said}</span>}
      </div>
      {due !== null && <time className="num">{formatDate(due, 'seconds', presentation)}</time>}
    </li>
  );
}
