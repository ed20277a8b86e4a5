import type { TextValues } from './form-state.ts';

export interface KeptValues<Values> {
  /** What was kept of an earlier page; nothing where that can't be told. */
  read(): Partial<Values>;
  write(values: Values): void;
  forget(): void;
}

/**
 * What was typed into these fields of a form, for as long as the tab is open: a phone drops the page while its owner
 * looks for a code elsewhere, and loads it again. Never for a field that is secret.
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
      // A browser that keeps nothing.
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
