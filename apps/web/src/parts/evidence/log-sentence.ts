import { agoText, formatCount, formatDate, type Presentation } from '@sathorn/text';
import type { LogView } from './follow-log.ts';
import type { LogText } from './log-text.ts';
import { type LogState, stateOfSeen } from './seen-log.ts';

/** How the state is shown while time passes and the page stays open. */
export const shownState = ({ state, seen }: LogView, nowMs: number): LogState =>
  state === 'seen' && seen !== null ? stateOfSeen(seen, nowMs) : state;

interface Reader {
  readonly t: LogText;
  readonly presentation: Presentation;
  /** In a demo the witnesses run on the platform's own machine, and nobody else's. */
  readonly isDemo: boolean;
  readonly nowMs: number;
}

/** What this device knows of the log, in one sentence. */
export function logSentence(view: LogView, { t, presentation, isDemo, nowMs }: Reader): string {
  const { seen } = view;
  const state = shownState(view, nowMs);
  if (state === 'none') return t('log.none');
  const timeOf = (ms: number): string => formatDate(ms, 'dateTime', presentation);
  if (seen === null) return t(state === 'unconfirmed' ? 'log.unconfirmed_first' : 'log.unread_first');
  const entries = formatCount(seen.entries, presentation);
  const confirmedMs = seen.confirmedMs ?? seen.seenMs;
  if (state === 'alone') return t('log.alone', { entries });
  if (state === 'unread' || state === 'differs') return t(`log.${state}`, { entries, time: timeOf(seen.seenMs) });
  if (state === 'stale' || state === 'unconfirmed') return t(`log.${state}`, { entries, time: timeOf(confirmedMs) });
  const ago = agoText((nowMs - confirmedMs) / 1_000, presentation);
  return t(isDemo ? 'log.seen_demo' : 'log.seen', { entries, count: seen.witnesses, ago });
}
