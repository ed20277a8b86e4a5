import { Icon, type IconName } from '@sathorn/ui';
import type { ReactNode } from 'react';
import './note.css';

interface MoneyNoteProps {
  tone?: 'plain' | 'warn' | 'danger' | 'success' | 'brand';
  icon?: IconName;
  title?: string;
  /** True if screen readers must announce the note when it appears. */
  alert?: boolean;
  children: ReactNode;
}

/** A note in its own block: a warning, a reason, an assurance. */
export function MoneyNote({ tone = 'plain', icon = 'info', title, alert = false, children }: MoneyNoteProps) {
  return (
    <div className="money-note" data-tone={tone} role={alert ? 'alert' : undefined}>
      <Icon name={icon} size={18} />
      <div>
        {title && <p className="money-note-title">{title}</p>}
        {children}
      </div>
    </div>
  );
}
