const letters = new Intl.Segmenter('th', { granularity: 'grapheme' });

/** `somchai` becomes `s•••i`, which only its owner recognises. The length is hidden too. */
export function maskName(name: string): string {
  const seen = Array.from(letters.segment(name), ({ segment }) => segment);
  const [first = ''] = seen;
  return seen.length < 3 ? `${first}•••` : `${first}•••${seen.at(-1)}`;
}
