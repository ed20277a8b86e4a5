import { type Presentation, toOwnDigits } from '@sathorn/text';

/** Formats the time until a candle closes: `0:23`, or `3:59:59` from an hour on. Zero once its time is over. */
export function timeLeft(leftMs: number, presentation: Presentation): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1_000));
  const two = (count: number) => String(count % 60).padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60);
  const text = hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
  return toOwnDigits(text, presentation);
}
