import type { ReactNode } from 'react';
import { Icon, type IconName } from '../icon.tsx';
import './list-row.css';

interface ListRowProps {
  icon?: IconName;
  /** Shown in place of the icon: an avatar, a coin. */
  lead?: ReactNode;
  title: ReactNode;
  /** Small text below the title. */
  note?: ReactNode;
  value?: ReactNode;
  /** Makes the row a button, with an arrow in the reading direction. */
  onPress?: (() => void) | undefined;
  danger?: boolean;
}

/** A line of a list: the name at the start, the value at the end. */
export function ListRow({ icon, lead, title, note, value, onPress, danger = false }: ListRowProps) {
  const content = (
    <>
      {icon ? (
        <span className="ui-row-icon">
          <Icon name={icon} size={20} />
        </span>
      ) : (
        lead
      )}
      <span className="ui-row-title">
        <span>{title}</span>
        {note && <span className="cap num">{note}</span>}
      </span>
      {value !== undefined && <span className="ui-row-value num">{value}</span>}
      {onPress && (
        <span className="ui-row-arrow">
          <Icon name="forward" size={15} flip />
        </span>
      )}
    </>
  );
  return onPress ? (
    <button type="button" className="ui-row" data-danger={danger ? '' : undefined} onClick={onPress}>
      {content}
    </button>
  ) : (
    <div className="ui-row">{content}</div>
  );
}
