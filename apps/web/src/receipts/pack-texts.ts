/** The server accepts forms of 64 kB, in which a quote or a brace takes three bytes. */
const FORM_BYTES_MAX = 60_000;
const TEXTS_MAX = 50;

/** Returns JSON lists of all texts, in order. Each list is as long as one form may be. */
export function packTextsIntoLists(texts: readonly unknown[]): string[] {
  const lists: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    const json = JSON.stringify(text);
    const added = encodeURIComponent(`${json},`).length;
    if (bytes + added > FORM_BYTES_MAX || (lists.at(-1)?.length ?? 0) >= TEXTS_MAX) {
      lists.push([]);
      bytes = 0;
    }
    lists.at(-1)?.push(json);
    bytes += added;
  }
  return lists.map((list) => `[${list.join(',')}]`);
}
