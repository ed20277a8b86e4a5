/** Returns round values within a range: multiples of 1, 2 or 5 times a power of ten. */
export function roundSteps(low: number, high: number, atMost: number): number[] {
  const span = high - low;
  if (!(span > 0)) return [];
  const rough = span / atMost;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((candidate) => candidate >= rough) ?? 10 * power;
  return multiplesBetween(step, low, high);
}

export function multiplesBetween(step: number, from: number, to: number): number[] {
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(to / step) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * step);
}

/** Returns the price range of the chart: the line and the start prices of the bets, with a margin above and below. */
export function priceRange(values: readonly number[]): { low: number; high: number } {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  // A constant price becomes a line in the middle.
  const room = Math.max((high - low) * 0.16, Math.abs(high) * 1e-5);
  return { low: low - room, high: high + room };
}

/**
 * Moves labels of equal height apart, as little as needed, within `top` and `bottom`. Labels keep the order of their
 * positions; the result is in the order of `places`.
 */
export function spreadLabels(places: readonly number[], height: number, top: number, bottom: number): number[] {
  const order = places.map((_, index) => index).sort((a, b) => (places[a] as number) - (places[b] as number));
  const found = [...places];
  let least = top;
  for (const index of order) {
    found[index] = Math.max(found[index] as number, least);
    least = (found[index] as number) + height;
  }
  let most = bottom;
  for (const index of order.toReversed()) {
    found[index] = Math.min(found[index] as number, most);
    most = (found[index] as number) - height;
  }
  return found;
}

/** Returns the row of each flag, so that no flag covers another: the first row with enough room. */
export function flagRowsOf(places: readonly number[], width: number): number[] {
  const rows: number[][] = [];
  return places.map((place) => {
    const free = rows.findIndex((taken) => taken.every((other) => Math.abs(other - place) >= width));
    const row = free === -1 ? rows.length : free;
    rows[row] = [...(rows[row] ?? []), place];
    return row;
  });
}
