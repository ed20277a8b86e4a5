import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Icon, type IconName } from '../icon.tsx';
import type { PictureName } from './picture-names.ts';
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
  title: string;
  children?: ReactNode;
  /** The suggested next action. */
  action?: { label: string; onPress: () => void };
}

function State({ mark, title, children, action }: StateProps & { mark: ReactNode }) {
  return (
    <div className="ui-state">
      {mark}
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

/** One file with a view for each picture. */
const PICTURES = new URL('./pictures.svg', import.meta.url).href;

/** Shows a picture and a sentence for an empty list, with the action that fills it. */
export function EmptyState({ picture = 'list', ...state }: StateProps & { picture?: PictureName }) {
  return <State mark={<img src={`${PICTURES}#${picture}`} alt="" width={120} height={88} />} {...state} />;
}

/** Shows what failed and offers a retry. */
export function ErrorState({ icon = 'warning', ...state }: StateProps & { icon?: IconName }) {
  return (
    <div role="alert">
      <State
        mark={
          <span className="ui-state-icon">
            <Icon name={icon} size={28} />
          </span>
        }
        {...state}
      />
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
