import type { Texts } from '../../parts/texts/index.ts';

/** The code list of each field whose value is a code. */
const CODES: Readonly<Record<string, string>> = {
  scopes: 'scope',
  roles: 'role',
  roles_now: 'role',
  state: 'operators',
};
/** Hashes and numbers that bind the approval to its subject. People compare the fingerprint instead. */
const BINDING: ReadonlySet<string> = new Set(['invitation', 'secret_hash', 'fingerprint']);

/** The preview of a text shows these. */
const SHOWN: ReadonlySet<string> = new Set(['text', 'title', 'digest', 'publication']);

const DECIMALS: Readonly<Record<string, number>> = { USDT: 6, POINTS: 0 };
/** Units as a decimal number, for contents that are signed in units. */
export function inUnits(content: Readonly<Record<string, unknown>>, units: string): string {
  const asset = typeof content.asset === 'string' ? content.asset : 'USDT';
  const decimals = DECIMALS[asset] ?? 8;
  const digits = units.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`} ${asset}`;
}
/** Contents of withdrawals and corrections give these in units. */
const UNITS: ReadonlySet<string> = new Set(['amount', 'fee', 'units']);
export const isInUnits = (kind: string): boolean => kind === 'correction' || kind.startsWith('withdrawal');

/** Lists each field of the approval's content: its name in the operator's language, its value as it was signed. */
export function contentFacts(kind: string, content: Readonly<Record<string, unknown>>, { code, dateTime }: Texts) {
  return Object.entries(content)
    .filter(([name, value]) => !BINDING.has(name) && value !== '' && !(kind === 'content' && SHOWN.has(name)))
    .map(([name, value]) => {
      const prefix = CODES[name] ?? 'reason';
      const text = Array.isArray(value) ? value.map((one) => code(prefix, String(one))).join(', ') : String(value);
      const isTime = /^\d{4}-\d\d-\d\dT/.test(text);
      if (isInUnits(kind) && UNITS.has(name) && /^[0-9]+$/.test(text))
        return [code('field', name), inUnits(content, text)] as const;
      return [code('field', name), isTime ? dateTime(text) : code(prefix, text)] as const;
    });
}
