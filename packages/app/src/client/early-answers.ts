interface EarlyAnswer {
  readonly address: string;
  readonly headers: string;
  readonly answer: Promise<Response>;
}

declare global {
  // Requested by `public/first-paint.js` while this code was loading.
  var earlyAnswers: EarlyAnswer[] | undefined;
}

/**
 * Returns the answer to the same request if the page has already requested it. Each answer is used only once, because a
 * later read needs a fresh one.
 */
export function takeEarlyAnswer(
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> | undefined {
  const early = globalThis.earlyAnswers;
  const place = early?.findIndex((each) => each.address === address && each.headers === JSON.stringify(headers)) ?? -1;
  return place < 0 ? undefined : early?.splice(place, 1)[0]?.answer;
}
