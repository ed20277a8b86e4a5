import type { ComponentProps, ReactNode } from 'react';
import './badge.css';

export type BadgeTone = 'plain' | 'brand' | 'success' | 'warn' | 'danger' | 'rise' | 'fall';

export function Badge({ tone = 'plain', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span className="ui-badge num" data-tone={tone}>
      {children}
    </span>
  );
}

/** A small choice among others; `pressed` is the chosen one. */
export function Chip({
  pressed,
  children,
  ...rest
}: Omit<ComponentProps<'button'>, 'className'> & { pressed?: boolean }) {
  return (
    <button {...rest} type="button" className="ui-chip num" aria-pressed={pressed}>
      {children}
    </button>
  );
}
