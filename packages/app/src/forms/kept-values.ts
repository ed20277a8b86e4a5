import type { TextValues } from './form-state.ts';

export interface KeptValues<Values> {
  /** Returns the values kept by an earlier page; empty when they cannot be read. */
  read(): Partial<Values>;
  write(values: Values): void;
  forget(): void;
}

/**
 * Stores the text typed into these fields while the tab is open: a phone may discard the page while the customer looks
 * for a code elsewhere, and reload it later. Never use it for a secret field.
 */
export function keptValues<Values extends TextValues<Values>>(
  form: string,
  fields: readonly (keyof Values & string)[],
): KeptValues<Values> {
  const place = `typed:${form}`;
  const quietly = <Result>(work: () => Result, otherwise: Result): Result => {
    try {
      return work();
    } catch {
      // The browser has no storage.
      return otherwise;
    }
  };
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
