import * as v from 'valibot';
import type { Call } from './call.ts';
import { CALLS } from './calls.ts';

/** Markup, which must be shown as text, behind a scheme, which must not become an address. */
export const PLANTED = 'javascript:window.ran=1//"><b data-planted onclick=ran()>planted</b><img src=x onerror=ran()>';

/** Codes, amounts, times, hashes and paths steer an app; a text with them replaced would show only an error page. */
const MACHINE = /^(?:[\w.:+-]{0,64}|0x[0-9a-f]+|\/\S*|data:\S*|blob:\S*)$/i;
const TEXT_NAMES =
  /(?:name|nick|title|text|note|reason|remark|alias|body|summary|content|device|about|question|label|link|url|explorer)/;
const BY_PATH = new Map(Object.values<Call>(CALLS).map((call) => [`${call.method} ${call.path}`, call]));

/**
 * An answer of the server in which every text that its schema leaves open holds the planted markup, as if whoever wrote
 * it were an attacker and the database, or an operator, helped. `planted` collects which fields these were.
 */
export function plantIn(method: string, path: string, data: unknown, planted: Set<string>): unknown {
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
      holder[key] = PLANTED;
      if (v.safeParse(call.result, copy.data).success) planted.add(`${method} ${path} ${field}`);
      else holder[key] = value;
    }
  };
  visit(copy, '');
  return copy.data;
}

/** Evaluated in a page: what planted texts have become that they never must: an element, an address, a handler. */
export const COME_ALIVE = `[...document.querySelectorAll('*')]
  .filter((element) => element.hasAttribute('data-planted') || [...element.attributes].some(({ name, value }) =>
    /^on/i.test(name) || (/^(href|src|action|formaction|data|srcdoc)$/i.test(name) && /^\\s*javascript:/i.test(value))))
  .map((element) => element.outerHTML.slice(0, 200))`;
