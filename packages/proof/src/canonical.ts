/**
 * The unique text of a value: the JSON Canonicalization Scheme (RFC 8785) without numbers. Two programs that agree on
 * the value agree on its bytes, and so on its hash. Amounts, times and sequences are decimal strings.
 */
export type Canonical = string | boolean | null | readonly Canonical[] | { readonly [key: string]: Canonical };

/**
 * Throws on values that are not allowed in a proof: numbers, undefined, bigint, lone surrogates, and objects that are
 * not plain.
 */
export function canonicalText(value: Canonical): string {
  return write(value);
}

function write(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (isPlainObject(value)) {
    // The default order of sort() is by UTF-16 code units, which is the order of the RFC.
    const members = Object.keys(value).sort();
    return `{${members.map((key) => `${quote(key)}:${write(value[key])}`).join(',')}}`;
  }
  throw new TypeError(`a ${typeof value} has no canonical form`);
}

/** ASCII that JSON writes as it is. Most texts are, and this test is several times faster than `JSON.stringify`. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('a lone surrogate has no canonical form');
  return JSON.stringify(text);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Parses a text that is exactly canonical; otherwise returns undefined. Spaces, another key order, a duplicate key or a
 * number would be a second spelling of the same value, and a signature must cover only one.
 */
export function parseCanonical(text: string): Canonical | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return write(value) === text ? (value as Canonical) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Parses the JSON of a file with signed texts, or throws a SyntaxError. Unlike `JSON.parse` it rejects duplicate keys:
 * two readers could use different ones and so read two receipts from the same file.
 */
export function parseUniqueJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // The text is known to be valid JSON, so a string before a colon is a key.
  const open: Set<string>[] = [];
  for (const [token, name] of text.matchAll(/("(?:[^"\\]|\\.)*")(?:\s*:)?|[{}]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (name !== undefined && token !== name) {
      const member: string = JSON.parse(name);
      if (open.at(-1)?.has(member)) throw new SyntaxError(`the member ${name} is given twice`);
      open.at(-1)?.add(member);
    }
  }
  return value;
}
