import * as v from 'valibot';
import type { Call } from './call.ts';
import { CALLS } from './calls.ts';

/** Markup, which must be shown as text, after a scheme, which must not become an address. */
export const PLANTED_MARKUP =
  'javascript:window.ran=1//"><b data-planted onclick=ran()>planted</b><img src=x onerror=ran()>';

/** Codes, amounts, times, hashes and paths steer an app. Replacing them would only lead to error pages. */
const MACHINE = /^(?:[\w.:+-]{0,64}|0x[0-9a-f]+|\/\S*|data:\S*|blob:\S*)$/i;
const TEXT_NAMES =
  /(?:name|nick|title|text|note|reason|remark|alias|body|summary|content|device|about|question|label|link|url|explorer)/;
const BY_PATH = new Map(Object.values<Call>(CALLS).map((call) => [`${call.method} ${call.path}`, call]));

/**
 * Returns a server's answer in which every text that its schema leaves open contains the planted markup, as if an
 * attacker had written it and the database, or an operator, had let it through. `planted` collects the names of these
 * fields.
 */
export function plantInAnswer(method: string, path: string, data: unknown, planted: Set<string>): unknown {
  const call = BY_PATH.get(`${method} ${path}`);
  if (!call || !v.safeParse(call.result, data).success) return data;
  const copy = structuredClone({ data });
  const visit = (node: unknown, name: string): void => {
    if (node === null || typeof node !== 'object') return;
    for (const [key, value] of Object.entries(node)) {
      const field = Array.isArray(node) ? name : `${name}.${key}`;
      if (typeof value !== 'string') {
        visit(value, field);
        continue;
      }
      if (MACHINE.test(value) && !TEXT_NAMES.test(key)) continue;
      const holder = node as Record<string, unknown>;
      holder[key] = PLANTED_MARKUP;
      if (v.safeParse(call.result, copy.data).success) planted.add(`${method} ${path} ${field}`);
      else holder[key] = value;
    }
  };
  visit(copy, '');
  return copy.data;
}

/** Evaluated in a page: finds planted texts that became an element, an address or a handler. */
export const FIND_LIVE_MARKUP_SCRIPT = `[...document.querySelectorAll('*')]
  .filter((element) => element.hasAttribute('data-planted') || [...element.attributes].some(({ name, value }) =>
    /^on/i.test(name) || (/^(href|src|action|formaction|data|srcdoc)$/i.test(name) && /^\\s*javascript:/i.test(value))))
  .map((element) => element.outerHTML.slice(0, 200))`;
