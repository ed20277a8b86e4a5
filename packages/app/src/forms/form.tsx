import { createContext, type ReactNode, use } from 'react';
import type { FieldError } from './form-state.ts';

/** The properties that connect an input to a field of the form: `<TextField {...form.field('email')} />`. */
interface FieldBinding<Value extends string> {
  readonly name: string;
  readonly value: Value;
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void;
  readonly ref: (element: { focus(): void } | null) => void;
}

/** A form's current state. */
export interface Form<Values> {
  readonly values: Values;
  /** The values at the time of the call, for use after an await. */
  latest(): Values;
  field<Name extends keyof Values & string>(name: Name): FieldBinding<Values[Name] & string>;
  set<Name extends keyof Values>(name: Name, value: Values[Name]): void;
  setError(name: keyof Values, error: FieldError): void;
  clearErrors(names: readonly (keyof Values)[]): void;
  /** Checks a field when the focus leaves it, unless it is empty. */
  judge(name: keyof Values): void;
  /** True if a field is filled in and without a fault, whether or not it has been judged. */
  isValid(name: keyof Values): boolean;
  setFocus(name: keyof Values): void;
}

const Context = createContext<Form<unknown> | null>(null);

export function FormProvider<Values>({ form, children }: { form: Form<Values>; children: ReactNode }) {
  return <Context value={form as unknown as Form<unknown>}>{children}</Context>;
}

/** The surrounding form, whose values include these. */
export function useSurroundingForm<Values>(): Form<Values> {
  const form = use(Context);
  if (form === null) throw new Error('there is no form around');
  return form as unknown as Form<Values>;
}
