import type { AxisTick } from 'klinecharts';

/**
 * The price labels on the axis. A label that the last price's label would half cover is removed, but its line is kept.
 */
export function withoutCoveredLabels(ticks: AxisTick[], last: number | undefined, textSize: number): AxisTick[] {
  const [first, second] = ticks;
  if (last === undefined || !first || !second) return ticks;
  const perPrice = (second.coord - first.coord) / (Number(second.value) - Number(first.value));
  const lastCoord = first.coord + (last - Number(first.value)) * perPrice;
  return ticks.map((tick) => (Math.abs(tick.coord - lastCoord) < textSize * 1.5 ? { ...tick, text: '' } : tick));
}
