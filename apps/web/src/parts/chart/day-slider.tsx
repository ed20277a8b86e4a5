import type { ReactNode } from 'react';

interface DaySliderProps {
  count: number;
  at: number;
  /** Null when the pointer has left, which shows the newest day again. */
  onAt: (at: number | null) => void;
  label: string;
  /** The screen reader's text for the chosen day. */
  said: string;
  className: string;
  children: ReactNode;
}

/** A drawing of days, oldest on the left in every language. A finger or arrow keys choose a day. */
export function DaySlider({ count, at, onAt, label, said, className, children }: DaySliderProps) {
  const choose = (day: number) => onAt(Math.min(count - 1, Math.max(0, day)));
  return (
    <div
      className={className}
      dir="ltr"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={count - 1}
      aria-valuenow={at}
      aria-valuetext={said}
      onKeyDown={({ key }) => {
        const move = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
        if (move !== 0) choose(at + move);
      }}
      onPointerMove={({ clientX, currentTarget }) => {
        const { left, width } = currentTarget.getBoundingClientRect();
        choose(Math.floor(((clientX - left) / Math.max(1, width)) * count));
      }}
      onPointerLeave={() => onAt(null)}
    >
      {children}
    </div>
  );
}
