import { Icon, type IconName } from '@sathorn/ui';
import type { ReactNode } from 'react';
import './state-head.css';

interface StateHeadProps {
  icon: IconName;
  isOn: boolean;
  title: ReactNode;
  note?: ReactNode;
}

/** The head of a card that shows whether a safeguard or service is on. */
export function StateHead({ icon, isOn, title, note }: StateHeadProps) {
  return (
    <div className="state-head">
      <span className="state-mark" data-on={isOn ? '' : undefined}>
        <Icon name={icon} size={26} />
      </span>
      <div>
        <h2>{title}</h2>
        {note && <p className="muted">{note}</p>}
      </div>
    </div>
  );
}
