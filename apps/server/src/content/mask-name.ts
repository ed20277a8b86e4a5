const letters = new Intl.Segmenter('th', { granularity: 'grapheme' });

/** `somchai` is `s•••i`: enough for its owner to know it, too little for anybody else. The length is not told either. */
export function maskName(name: string): string {
  const seen = Array.from(letters.segment(name), ({ segment }) => segment);
  const [first = ''] = seen;
  return seen.length < 3 ? `${first}•••` : `${first}•••${seen.at(-1)}`;
}
