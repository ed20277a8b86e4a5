import { Icon, type IconName, useText } from '@sathorn/ui';
import type { ReactNode } from 'react';
import './timeline.css';

export interface TimelineStep {
  readonly key: string;
  readonly title: string;
  /** The time of the step, past or future. */
  readonly time?: ReactNode;
  readonly note?: ReactNode;
  readonly state: 'done' | 'now' | 'todo' | 'failed';
  /** Replaces the state's icon. */
  readonly icon?: IconName;
}

const ICONS: Readonly<Record<TimelineStep['state'], IconName>> = {
  done: 'check',
  now: 'clock',
  todo: 'check',
  failed: 'cross',
};

/** Past, current and future steps, from top to bottom. */
export function Timeline({ steps }: { steps: readonly TimelineStep[] }) {
  const { t } = useText<'money'>();
  return (
    <ol className="timeline num">
      {steps.map(({ key, title, time, note, state, icon = ICONS[state] }) => (
        <li key={key} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
          <span className="timeline-dot">
            <Icon name={state === 'done' || state === 'failed' ? ICONS[state] : icon} size={14} />
          </span>
          <p className="timeline-head">
            <b>{title}</b>
            <span className="unseen"> {t(`money.state.${state}`)} </span>
            {time !== undefined && <span className="timeline-time">{time}</span>}
          </p>
          {note !== undefined && note !== null && <div className="timeline-note">{note}</div>}
        </li>
      ))}
    </ol>
  );
}
