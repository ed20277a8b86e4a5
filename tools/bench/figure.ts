export interface Figure {
  readonly name: string;
  readonly value: string;
  /** Compared with something real in the same run. */
  readonly ratio: string;
  readonly goal: string;
}

export function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString('en')}/s`;
}
