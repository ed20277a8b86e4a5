/**
 * `$` marks values that JSON lacks. An object that has its own `$` is marked too, so that no value is mistaken for a
 * mark.
 */
type Mark =
  | { $: 'bigint' | 'date'; of: string }
  | { $: 'set'; of: unknown[] }
  | { $: 'object'; of: [string, unknown][] };

function toMark(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const raw = this[key]; // In `value` JSON has already turned a date into text.
  if (typeof raw === 'bigint') return { $: 'bigint', of: raw.toString() } satisfies Mark;
  if (typeof raw !== 'object' || raw === null) return value;
  if (raw instanceof Date) return { $: 'date', of: raw.toISOString() } satisfies Mark;
  if (raw instanceof Set) return { $: 'set', of: [...raw] } satisfies Mark;
  if (raw instanceof Map) throw new TypeError('a live event carries no Map');
  return Object.hasOwn(raw, '$') ? ({ $: 'object', of: Object.entries(raw) } satisfies Mark) : value;
}

function fromMark(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, '$')) return value;
  const mark = value as Mark;
  switch (mark.$) {
    case 'bigint':
      return BigInt(mark.of);
    case 'date':
      return new Date(mark.of);
    case 'set':
      return new Set(mark.of);
    case 'object':
      return Object.fromEntries(mark.of);
  }
}

export function encodeEvent(event: unknown): string {
  return JSON.stringify(event, toMark);
}

export function decodeEvents(text: string): unknown {
  return JSON.parse(text, fromMark);
}
