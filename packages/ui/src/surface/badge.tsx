import type { ComponentProps, ReactNode } from 'react';
import { Icon, type IconName } from '../icon.tsx';
import './badge.css';

export type BadgeTone = 'plain' | 'brand' | 'success' | 'warn' | 'danger';

interface BadgeProps {
  tone?: BadgeTone;
  /** An icon with the same meaning as the tone's colour. */
  mark?: IconName | undefined;
  children: ReactNode;
}

export function Badge({ tone = 'plain', mark, children }: BadgeProps) {
  return (
    <span className="ui-badge num" data-tone={tone}>
      {mark && <Icon name={mark} size={12} />}
      {children}
    </span>
  );
}

/** A small option among several; `pressed` marks the chosen one. */
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
