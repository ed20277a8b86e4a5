export interface HeardAnswer {
  /** For example `POST /users/extract`. */
  readonly route: string;
  readonly data: unknown;
  readonly acknowledged: unknown;
}

/** Answers that arrived before anybody listened, because the listener loads after the page has settled. */
let early: HeardAnswer[] | null = [];
let listener: ((answer: HeardAnswer) => void) | null = null;
const EARLY_MAX = 30;

export function noteAnswer(answer: HeardAnswer): void {
  listener?.(answer);
  if (early !== null && early.length < EARLY_MAX) early.push(answer);
}

/** Passes each successful answer of the server on, the first ones too. Returns how to stop it. */
export function hearAnswers(hear: (answer: HeardAnswer) => void): () => void {
  listener = hear;
  for (const answer of early ?? []) hear(answer);
  early = null;
  return () => {
    listener = null;
  };
}
