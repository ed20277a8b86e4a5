import './busy-overlay.css';

/** Covers the screen while a submit is in flight, but never the first paint. */
export function BusyOverlay({ label }: { label: string }) {
  return (
    <div className="ui-busy" role="status">
      <div className="ui-busy-box">
        <span className="ui-button-spinner" aria-hidden="true" />
        <span>{label}</span>
      </div>
    </div>
  );
}
