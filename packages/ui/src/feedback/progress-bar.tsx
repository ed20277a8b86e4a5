import './progress-bar.css';

/** Shows the progress of long work; `share` from 0 to 1. */
export function ProgressBar({
  share,
  label,
  look = 'brand',
}: {
  share: number;
  label: string;
  look?: 'brand' | 'gold' | 'amber' | 'success';
}) {
  return (
    <div
      className="ui-progress"
      data-look={look}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
    >
      <div style={{ inlineSize: `${Math.round(share * 100)}%` }} />
    </div>
  );
}
