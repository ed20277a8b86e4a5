import type { FieldFault } from '@sathorn/api';

/** The typed text of each field; a checkbox is `true` or empty. */
export type TextValues<Values> = { readonly [Name in keyof Values]: string };

/** A fault found by the form's own rules and worded when shown, or one reported by the server in its own words. */
export type FieldError =
  | { readonly by: 'form'; readonly fault: FieldFault }
  | { readonly by: 'server'; readonly sentence: string };

interface FormSnapshot<Values> {
  readonly values: Values;
  readonly errors: { readonly [Name in keyof Values]?: FieldError };
}

type Faults = Readonly<Record<string, FieldFault | undefined>>;

/**
 * A form's values and errors. No error is shown before the first try to send, or before a field is judged by itself;
 * after that every change is checked at once. An error from the server stays until its field is changed.
 */
export class FormState<Values extends TextValues<Values>> {
  #snapshot: FormSnapshot<Values>;
  /** The fields that have been checked at least once. */
  readonly #judged = new Set<keyof Values>();
  readonly #listeners = new Set<() => void>();
  readonly #elements = new Map<keyof Values, { focus(): void }>();

  constructor(initial: Values) {
    this.#snapshot = { values: initial, errors: {} };
  }

  readonly snapshot = (): FormSnapshot<Values> => this.#snapshot;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  change<Name extends keyof Values>(name: Name, value: Values[Name], faultsOf: (values: Values) => Faults): void {
    const { errors } = this.#snapshot;
    const values = { ...this.#snapshot.values, [name]: value };
    const faults = this.#judged.size > 0 ? faultsOf(values) : {};
    const kept: { [Field in keyof Values]?: FieldError } = {};
    for (const field of Object.keys(values) as (keyof Values & string)[]) {
      const error = errors[field];
      const fault = faults[field];
      // A valid field stays unmarked until the next try, so that two passwords are not reported as different while the
      // first one is being typed.
      const isJudged = field === name || error?.by === 'form';
      if (!isJudged && error) kept[field] = error;
      if (isJudged && fault && this.#judged.has(field)) kept[field] = { by: 'form', fault };
    }
    this.#set({ values, errors: kept });
  }

  /** Checks these fields, or all of them, and returns whether they are valid. */
  tryOut(faultsOf: (values: Values) => Faults, names?: readonly (keyof Values)[]): boolean {
    const { values, errors: before } = this.#snapshot;
    const faults = faultsOf(values);
    const errors: { [Field in keyof Values]?: FieldError } = names ? { ...before } : {};
    let isValid = true;
    for (const name of names ?? (Object.keys({ ...values, ...faults }) as (keyof Values & string)[])) {
      this.#judged.add(name);
      const fault = faults[name as string];
      delete errors[name];
      if (fault === undefined) continue;
      errors[name] = { by: 'form', fault };
      isValid = false;
    }
    this.#set({ values, errors });
    return isValid;
  }

  /** Checks a field when the focus leaves it. An error from the server stays. */
  judge(name: keyof Values, faultsOf: (values: Values) => Faults): void {
    const { values, errors } = this.#snapshot;
    if (values[name] !== '' && errors[name]?.by !== 'server') this.tryOut(faultsOf, [name]);
  }

  setError(name: keyof Values, error: FieldError): void {
    this.#set({ ...this.#snapshot, errors: { ...this.#snapshot.errors, [name]: error } });
  }

  clearErrors(names: readonly (keyof Values)[]): void {
    const errors = { ...this.#snapshot.errors };
    for (const name of names) delete errors[name];
    this.#set({ ...this.#snapshot, errors });
  }

  /** Registers the element that gets the focus for a field; null when it is removed. */
  place(name: keyof Values, element: { focus(): void } | null): void {
    if (element) this.#elements.set(name, element);
    else this.#elements.delete(name);
  }

  focus(name: keyof Values): void {
    this.#elements.get(name)?.focus();
  }

  #set(next: FormSnapshot<Values>): void {
    this.#snapshot = next;
    for (const listener of this.#listeners) listener();
  }
}
