import { create } from 'zustand';

/** The overlay stays this long after the last submit ended, so that it does not flicker between two submits. */
export const OVERLAY_HIDE_AFTER_MS = 200;

interface Overlay {
  readonly inFlight: number;
  readonly isShown: boolean;
}

/** Counts submits in flight. Reads do not count, because the overlay would cover the first paint. */
export const useOverlay = create<Overlay>(() => ({ inFlight: 0, isShown: false }));

let hiding: ReturnType<typeof setTimeout> | undefined;

export function beginOverlay(): void {
  clearTimeout(hiding);
  useOverlay.setState(({ inFlight }) => ({ inFlight: inFlight + 1, isShown: true }));
}

export function endOverlay(): void {
  const inFlight = Math.max(0, useOverlay.getState().inFlight - 1);
  useOverlay.setState({ inFlight });
  if (inFlight > 0) return;
  clearTimeout(hiding);
  hiding = setTimeout(() => useOverlay.setState({ isShown: false }), OVERLAY_HIDE_AFTER_MS);
}
