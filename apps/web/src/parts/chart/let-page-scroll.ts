/** A movement shorter than this has no direction yet. */
const UNDECIDED_PX = 6;

/**
 * Lets a vertical swipe over the chart scroll the page; otherwise the chart would handle it. Horizontal swipes stay
 * with the chart. Returns a function that stops this.
 */
export function letPageScroll(element: HTMLElement): () => void {
  let start: { x: number; y: number } | null = null;
  let isPageScroll = false;

  const onStart = (event: TouchEvent) => {
    const touch = event.touches[0];
    start = event.touches.length === 1 && touch ? { x: touch.clientX, y: touch.clientY } : null;
    isPageScroll = false;
  };
  const onMove = (event: TouchEvent) => {
    const touch = event.touches[0];
    if (start && touch) {
      const x = Math.abs(touch.clientX - start.x);
      const y = Math.abs(touch.clientY - start.y);
      if (Math.max(x, y) >= UNDECIDED_PX) {
        isPageScroll = y > x;
        start = null;
      }
    }
    if (isPageScroll) event.stopPropagation();
  };
  element.addEventListener('touchstart', onStart, { capture: true, passive: true });
  element.addEventListener('touchmove', onMove, { capture: true, passive: true });
  return () => {
    element.removeEventListener('touchstart', onStart, { capture: true });
    element.removeEventListener('touchmove', onMove, { capture: true });
  };
}
