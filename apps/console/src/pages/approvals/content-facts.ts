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
