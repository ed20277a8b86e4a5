/** A page in the background draws no frames. */
const FRAME_MAX_MS = 100;

/** Resolves once the browser has painted what has changed so far, so that more work does not delay it. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, FRAME_MAX_MS);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      // A frame is painted after its callbacks, so the next task is the first one after it.
      setTimeout(resolve);
    });
  });
}
