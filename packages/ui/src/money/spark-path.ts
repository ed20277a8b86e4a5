const MARGIN = 3;

/** An SVG path through the prices, left to right, filling the height. Numbers are precise enough for drawing. */
export function sparkPath(prices: readonly string[], width: number, height: number): string {
  if (prices.length < 2) return `M0 ${height / 2}H${width}`;
  const values = prices.map(Number);
  const low = Math.min(...values);
  const range = Math.max(...values) - low;
  return values
    .map((value, index) => {
      const x = (index / (values.length - 1)) * width;
      const y = range === 0 ? height / 2 : height - MARGIN - ((value - low) / range) * (height - 2 * MARGIN);
      return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}
