import type { AxisTick } from 'klinecharts';

/** Prices along the axis. One that the label of the last price would half cover keeps its line and loses its text. */
export function uncovered(ticks: AxisTick[], last: number | undefined, textSize: number): AxisTick[] {
  const [first, second] = ticks;
  if (last === undefined || !first || !second) return ticks;
  const perPrice = (second.coord - first.coord) / (Number(second.value) - Number(first.value));
  const lastCoord = first.coord + (last - Number(first.value)) * perPrice;
  return ticks.map((tick) => (Math.abs(tick.coord - lastCoord) < textSize * 1.5 ? { ...tick, text: '' } : tick));
}
