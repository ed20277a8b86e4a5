/** A slow phone may need seconds to show a long list again. */
const WAIT_MS = 5_000;
const BY_HAND = ['pointerdown', 'wheel', 'keydown'] as const;

/** Restores a scroll position, once the content is long enough, unless the user scrolls first. */
export function scrollToPlace(y: number): () => void {
  scrollTo(0, 0);
  if (y === 0) return () => {};
  const until = performance.now() + WAIT_MS;
  let frame = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    for (const event of BY_HAND) removeEventListener(event, stop);
  };
  const look = () => {
    const isLongEnough = document.documentElement.scrollHeight >= y + innerHeight;
    if (isLongEnough) scrollTo(0, y);
    if (isLongEnough || performance.now() > until) stop();
    else frame = requestAnimationFrame(look);
  };
  for (const event of BY_HAND) addEventListener(event, stop);
  look();
  return stop;
}
