import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Icon, type IconName } from '../icon.tsx';
import './states.css';

/** A grey shape with the final height, so that nothing jumps when the content arrives. */
export function Skeleton({
  height = 16,
  width,
  round = false,
}: {
  height?: number;
  width?: number | string;
  round?: boolean;
}) {
  return (
    <span
      className="ui-skeleton"
      data-round={round ? '' : undefined}
      style={{ blockSize: height, inlineSize: width ?? '100%' }}
      aria-hidden="true"
    />
  );
}

export function SkeletonRows({ rows, label }: { rows: number; label: string }) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => `row-${row}`).map((row) => (
        <div key={row} className="ui-skeleton-row">
          <Skeleton height={34} width={34} round />
          <Skeleton width="38%" />
          <Skeleton width="22%" />
        </div>
      ))}
    </div>
  );
}

interface StateProps {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  /** The suggested next action. */
  action?: { label: string; onPress: () => void };
}

export function EmptyState({ icon = 'list', title, children, action }: StateProps) {
  return (
    <div className="ui-state">
      <span className="ui-state-icon">
        <Icon name={icon} size={28} />
      </span>
      <p className="ui-state-title">{title}</p>
      {children && <div className="muted">{children}</div>}
      {action && (
        <Button look="soft" size="small" onClick={action.onPress}>
          {action.label}
        </Button>
      )}
    </div>
  );
}

/** Shows what failed and offers a retry. */
export function ErrorState({ icon = 'warning', ...state }: StateProps) {
  return (
    <div role="alert">
      <EmptyState icon={icon} {...state} />
    </div>
  );
}

/** Announces to screen readers that a figure is stale; the caller dims the figure. */
export function StaleMark({ children }: { children: ReactNode }) {
  return (
    <span className="ui-stale">
      <Icon name="clock" size={13} />
      {children}
    </span>
  );
}
