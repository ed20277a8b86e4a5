export interface Figure {
  readonly name: string;
  readonly value: string;
  /** Compared with something real in the same run. */
  readonly ratio: string;
  readonly goal: string;
  /** The ratio as a number under a name of its own, for `--against`. More is better. */
  readonly share?: readonly [name: string, is: number];
}

export function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString('en')}/s`;
}
