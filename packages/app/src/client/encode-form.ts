/** Form encoding: undefined is omitted, booleans are words, lists are joined by commas. */
export function encodeForm(request: Readonly<Record<string, unknown>>): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(request)) {
    if (value === undefined || value === null) continue;
    if (Array.isArray(value)) pairs.set(name, value.join(','));
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      pairs.set(name, String(value));
    else throw new TypeError(`${name} can't be sent in a form`);
  }
  return pairs.toString();
}
