import { formatCount } from '@sathorn/text';
import { useCallback, useEffect, useState } from 'react';
import { useText } from '../texts.tsx';
import './countdown-ring.css';

const RADIUS = 18;
const AROUND = 2 * Math.PI * RADIUS;

interface CountdownRingProps {
  /** Both in ms since 1970, by the server's clock. */
  from: number;
  to: number;
  now: () => number;
  label: (seconds: number) => string;
}

/** Shows the time left until a moment: the ring empties around the seconds. Before the start, the ring is full. */
export function CountdownRing({ from, to, now, label }: CountdownRingProps) {
  const { presentation } = useText();
  const leftNow = useCallback(() => Math.min(to - from, Math.max(0, to - now())), [from, to, now]);
  const [left, setLeft] = useState(leftNow);
  useEffect(() => {
    const timer = setInterval(() => setLeft(leftNow()), 250);
    return () => clearInterval(timer);
  }, [leftNow]);
  const share = left / Math.max(1, to - from);
  const seconds = Math.ceil(left / 1000);
  return (
    <span className="ui-ring num" role="timer" aria-live="off" aria-label={label(seconds)}>
      <svg viewBox="0 0 42 42" width="42" height="42" aria-hidden="true">
        <circle cx="21" cy="21" r={RADIUS} className="ui-ring-track" />
        <circle
          cx="21"
          cy="21"
          r={RADIUS}
          className="ui-ring-left"
          strokeDasharray={AROUND}
          strokeDashoffset={AROUND * (1 - share)}
          transform="rotate(-90 21 21)"
        />
      </svg>
      <span aria-hidden="true">{formatCount(seconds, presentation)}</span>
    </span>
  );
}
