import type { AxisTick } from 'klinecharts';

/**
 * Returns the axis's price labels. Removes a label that the last price's label would half cover, but keeps its line.
 */
export function withoutCoveredLabels(ticks: AxisTick[], last: number | undefined, textSize: number): AxisTick[] {
  const [first, second] = ticks;
  if (last === undefined || !first || !second) return ticks;
  const perPrice = (second.coord - first.coord) / (Number(second.value) - Number(first.value));
  const lastCoord = first.coord + (last - Number(first.value)) * perPrice;
  return ticks.map((tick) => (Math.abs(tick.coord - lastCoord) < textSize * 1.5 ? { ...tick, text: '' } : tick));
}
