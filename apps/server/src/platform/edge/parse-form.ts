/** Fields of a form or query string. The object has no prototype, so `__proto__` is an ordinary field. */
export type FormFields = Record<string, string>;

type FormFault = 'duplicate' | 'malformed' | 'unknown';

/** Unknown names of this form are repeated in the answer; any other is reported as `form`. */
const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,39}$/;

export interface ParsedForm {
  readonly fields: FormFields;
  /** Names that came twice, are unknown to the call, or whose text contains a NUL or is not UTF-8; null if none. */
  readonly faults: Record<string, FormFault> | null;
}

const empty: ParsedForm = { fields: Object.create(null) as FormFields, faults: null };

/** Undefined when the escapes are malformed or do not decode to UTF-8. */
function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * Parses `a=1&b=2` and keeps only the call's known fields. Two values for one field are ambiguous and therefore a
 * fault. So is a NUL, which the database cannot store. With `isExact`, an unknown field is a fault too.
 */
export function parseForm(text: string, known: ReadonlySet<string>, { isExact = false } = {}): ParsedForm {
  if (text === '') return empty;
  const fields = Object.create(null) as FormFields;
  let faults: Record<string, FormFault> | null = null;
  for (let start = 0; start <= text.length; ) {
    let end = text.indexOf('&', start);
    if (end === -1) end = text.length;
    const equals = text.indexOf('=', start);
    const isBare = equals === -1 || equals > end;
    const name = decode(text.slice(start, isBare ? end : equals));
    if (name !== undefined && known.has(name)) {
      const value = isBare ? '' : decode(text.slice(equals + 1, end));
      const fault = name in fields ? 'duplicate' : value === undefined || value.includes('\0') ? 'malformed' : null;
      fields[name] = value ?? '';
      if (fault !== null) {
        faults ??= Object.create(null) as Record<string, FormFault>;
        faults[name] ??= fault;
      }
    } else if (isExact && end > start) {
      faults ??= Object.create(null) as Record<string, FormFault>;
      faults[name !== undefined && NAME.test(name) ? name : 'form'] ??= 'unknown';
    }
    start = end + 1;
  }
  return { fields, faults };
}
