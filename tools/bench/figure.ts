export interface BenchFigure {
  readonly name: string;
  readonly value: string;
  /** The figure relative to something real measured in the same run. */
  readonly ratio: string;
  readonly goal: string;
  /** The ratio as a number with its own name, for `--against`. More is better. */
  readonly share?: readonly [name: string, is: number];
}

export function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString('en')}/s`;
}
