/** Returns the chart's text size in px, scaled with the customer's text size. */
export function chartTextSize(): number {
  return Math.round((Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) * 0.6875);
}
