/** `somchai` is `s•••i`: enough for its owner to know it, too little for anybody else. The length is not told either. */
export function maskName(name: string): string {
  const letters = [...name];
  const [first = ''] = letters;
  return letters.length < 3 ? `${first}•••` : `${first}•••${letters.at(-1)}`;
}
