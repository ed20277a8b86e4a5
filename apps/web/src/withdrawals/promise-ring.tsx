import { serverNowMs } from '@sathorn/app/stream';
import { durationText } from '@sathorn/text';
import { useText } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import './promise-ring.css';

const RADIUS = 40;
const AROUND = 2 * Math.PI * RADIUS;

/** The elapsed share of the promised time. The ring fills until the promised time and then turns red. */
export function PromiseRing({ from, to }: { from: string; to: string }) {
  const { t, presentation } = useText<'money' | 'withdrawals'>();
  const begin = Date.parse(from);
  const end = Date.parse(to);
  const [now, setNow] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNowMs()), 1000);
    return () => clearInterval(timer);
  }, []);
  const isLate = now > end;
  const spent = Math.max(0, now - begin);
  const share = Math.min(1, spent / Math.max(1, end - begin));
  const inWords = (ms: number) => durationText(ms / 1000, presentation);
  const passed = inWords(isLate ? now - end : spent);
  const label = isLate
    ? t('withdrawal.ring.late', { time: passed })
    : t('withdrawal.ring.label', { time: passed, whole: inWords(end - begin) });
  return (
    <span
      className="promise-ring num"
      data-late={isLate ? '' : undefined}
      role="timer"
      aria-live="off"
      aria-label={label}
    >
      <svg viewBox="0 0 92 92" aria-hidden="true">
        <circle cx="46" cy="46" r={RADIUS} className="promise-ring-track" />
        <circle
          cx="46"
          cy="46"
          r={RADIUS}
          className="promise-ring-spent"
          strokeDasharray={AROUND}
          strokeDashoffset={AROUND * (1 - share)}
          transform="rotate(-90 46 46)"
        />
      </svg>
      <span className="promise-ring-text" aria-hidden="true">
        <b>{passed}</b>
        <span className="cap">
          {isLate ? t('withdrawal.ring.is_late') : t('withdrawal.ring.of', { whole: inWords(end - begin) })}
        </span>
      </span>
    </span>
  );
}
