import type { Texts } from '../../parts/texts/index.ts';

/** Of the content's fields, which codes their values are. */
const CODES: Readonly<Record<string, string>> = {
  scopes: 'scope',
  roles: 'role',
  roles_now: 'role',
  state: 'operators',
};
/** Digests and numbers that bind the approval to its subject; a person can compare the fingerprint in their place. */
const BINDING: ReadonlySet<string> = new Set(['invitation', 'secret_hash', 'fingerprint']);

/** Lists each field of the approval's content: its name in the operator's language, its value as it was signed. */
export function contentFacts(content: Readonly<Record<string, unknown>>, { code, dateTime }: Texts) {
  return Object.entries(content)
    .filter(([name]) => !BINDING.has(name))
    .map(([name, value]) => {
      const prefix = CODES[name] ?? 'reason';
      const text = Array.isArray(value) ? value.map((one) => code(prefix, String(one))).join(', ') : String(value);
      const isTime = /^\d{4}-\d\d-\d\dT/.test(text);
      return [code('field', name), isTime ? dateTime(text) : code(prefix, text)] as const;
    });
}
