import type { FieldFault } from '@sathorn/api';

/** The typed text of each field; a checkbox is `true` or empty. */
export type TextValues<Values> = { readonly [Name in keyof Values]: string };

/** Either found by the form's own rules and worded when shown, or reported by the server in its own words. */
export type FieldError =
  | { readonly by: 'form'; readonly fault: FieldFault }
  | { readonly by: 'server'; readonly sentence: string };

export interface FormSnapshot<Values> {
  readonly values: Values;
  readonly errors: { readonly [Name in keyof Values]?: FieldError };
}

type Faults = Readonly<Record<string, FieldFault | undefined>>;

/**
 * A form's values and errors. No error is shown before the first try to send; after that every change is checked at
 * once. An error from the server stays until its field is changed.
 */
export class FormState<Values extends TextValues<Values>> {
  #snapshot: FormSnapshot<Values>;
  #wasTried = false;
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
    const faults = this.#wasTried ? faultsOf(values) : {};
    const kept: { [Field in keyof Values]?: FieldError } = {};
    for (const field of Object.keys(values) as (keyof Values & string)[]) {
      const error = errors[field];
      const fault = faults[field];
      // A valid field stays unmarked until the next try, so that two passwords are not reported as different while the
      // first one is being typed.
      const isJudged = field === name || error?.by === 'form';
      if (!isJudged && error) kept[field] = error;
      if (isJudged && fault) kept[field] = { by: 'form', fault };
    }
    this.#set({ values, errors: kept });
  }

  /** Checks all fields and returns whether they may be sent. */
  tryOut(faultsOf: (values: Values) => Faults): boolean {
    this.#wasTried = true;
    const found = Object.entries(faultsOf(this.#snapshot.values)).filter(([, fault]) => fault !== undefined);
    const errors = Object.fromEntries(found.map(([field, fault]) => [field, { by: 'form', fault }]));
    this.#set({ ...this.#snapshot, errors: errors as FormSnapshot<Values>['errors'] });
    return found.length === 0;
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
