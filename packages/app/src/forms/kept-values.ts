import type { TextValues } from './form-state.ts';

export interface KeptValues<Values> {
  /** Returns the values kept by an earlier page; empty when they cannot be read. */
  read(): Partial<Values>;
  write(values: Values): void;
  forget(): void;
}

const PREFIX = 'typed:';

function quietly<Result>(work: () => Result, otherwise: Result): Result {
  try {
    return work();
  } catch {
    // The browser has no storage.
    return otherwise;
  }
}

/**
 * Stores the text typed into these fields while the tab is open: a phone may discard the page while the customer looks
 * for a code elsewhere, and reload it later. Never use it for a secret field.
 */
export function openKeptValues<Values extends TextValues<Values>>(
  form: string,
  fields: readonly (keyof Values & string)[],
): KeptValues<Values> {
  const place = PREFIX + form;
  return {
    read: () =>
      quietly(() => {
        const kept: unknown = JSON.parse(sessionStorage.getItem(place) ?? '{}');
        const found = Object.entries(kept ?? {}).filter(
          ([name, value]) => typeof value === 'string' && fields.some((field) => field === name),
        );
        return Object.fromEntries(found) as Partial<Values>;
      }, {}),
    write: (values) =>
      quietly(() => {
        const typed = fields.map((field) => [field, values[field]] as const);
        sessionStorage.setItem(place, JSON.stringify(Object.fromEntries(typed)));
      }, undefined),
    forget: () => quietly(() => sessionStorage.removeItem(place), undefined),
  };
}

/** Secrets, and fields that people must fill in again each time: consents and confirmations. */
const NEVER = /pass|code|otp|^old$|confirm|proof|^sure$|^agree$/;

/**
 * The draft of one person on one page, for every form, because a session may end while somebody types. It contains only
 * values that differ from the form's own, so it does not restore what another device has changed since.
 */
export function openFormDraft<Values extends TextValues<Values>>(
  page: string,
  person: string,
  initial: Values,
): KeptValues<Values> {
  const names = (Object.keys(initial) as (keyof Values & string)[]).filter((name) => !NEVER.test(name));
  const form = `${page} ${person}`;
  return {
    ...openKeptValues<Values>(form, names),
    write: (values) => {
      const typed = names.filter((name) => values[name] !== initial[name]);
      const kept = openKeptValues<Values>(form, typed);
      if (typed.length > 0) kept.write(values);
      else kept.forget();
    },
  };
}

/** Signing out removes all drafts, so that the next person on the device sees none. */
export function forgetFormDrafts(): void {
  quietly(() => {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  }, undefined);
}
