import type { Call, FieldFault, RequestOf, ResultOf } from '@sathorn/api';
import { fieldFaultKey } from '@sathorn/text';
import { useText } from '@sathorn/ui';
import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type Failure, failureText } from '../client/answer.ts';
import { useCall } from '../client/use-call.ts';
import { showToast } from '../shell/toasts.ts';
import { faultyFields, withoutEmpty } from './faulty-fields.ts';
import type { Form } from './form.tsx';
import { FormState, type TextValues } from './form-state.ts';
import type { KeptValues } from './kept-values.ts';

interface CallFormOptions<C extends Call, Values> {
  initial: Values;
  /** Builds the request from the typed values. Its fields have the same names as the form's. */
  request: (values: Values) => Readonly<Record<string, string | undefined>>;
  /** Faults that lie between fields. */
  also?: (values: Values) => Readonly<Record<string, FieldFault | undefined>>;
  /** Fields that a refusal is about, where the server names none. */
  refusalFields?: Partial<Record<C['refusals'][number], keyof Values & string>>;
  /** The values to keep across a reload of the page, until the form is done. */
  kept?: KeptValues<Values>;
  onDone: (result: ResultOf<C>, values: Values) => void;
  /** Looks at a refusal first; true when it has dealt with it. */
  onRefused?: (refused: Failure, values: Values) => boolean;
}

/**
 * A form over one call: checked by the call's own schema before it is sent, messages under the fields in the language
 * in use, the first faulty field focused, the server's faults mapped back onto the fields, nothing that was typed lost.
 */
export function useCallForm<C extends Call, Values extends TextValues<Values>>(
  call: C,
  options: CallFormOptions<C, Values>,
) {
  const texts = useText();
  const { submit: submitCall, isBusy } = useCall(call, { quiet: true });
  // Shown above the button when it belongs to no field.
  const [refusal, setRefusal] = useState<string>();
  const { kept } = options;
  const [state] = useState(() => new FormState<Values>({ ...options.initial, ...kept?.read() }));
  const { values, errors } = useSyncExternalStore(state.subscribe, state.snapshot);
  useEffect(() => kept?.write(values), [kept, values]);

  const faultsOf = (typed: Values) => faultyFields(call.request, options.request(typed), options.also?.(typed));
  const form: Form<Values> = {
    values,
    latest: () => state.snapshot().values,
    field: (name) => ({
      name,
      value: values[name],
      // A text from an input of this field is what the field may hold.
      onChange: ({ target }) => state.change(name, target.value as Values[typeof name], faultsOf),
      ref: (element) => state.place(name, element),
    }),
    set: (name, value) => state.change(name, value, faultsOf),
    setError: (name, error) => state.setError(name, error),
    clearErrors: (names) => state.clearErrors(names),
    setFocus: (name) => state.focus(name),
  };

  // The form whose first faulty field, from the top of the page, gets the focus as soon as the messages are drawn.
  const awaitsFocus = useRef<Element>(null);
  const tried = useRef<Element>(null);
  useEffect(() => {
    const faulty = awaitsFocus.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid="true"]');
    if (!faulty) return;
    awaitsFocus.current = null;
    faulty.focus();
  });

  const errorOf = (field: keyof Values & string): string | undefined => {
    const error = errors[field];
    if (error === undefined) return undefined;
    return error.by === 'server' ? error.sentence : texts.t(fieldFaultKey(texts.has, error.fault, field));
  };

  const takeRefusal = (refused: Failure, sent: Values) => {
    if (options.onRefused?.(refused, sent)) return;
    // The shell tells the end of a session and leads to sign-in.
    if (refused.code === 'session_required') return;
    const sentence = failureText(refused, texts);
    const named = Object.entries(refused.fields).filter(([field]) => field in sent) as [keyof Values, string][];
    const own = options.refusalFields?.[refused.code as C['refusals'][number]];
    const faulty = named.length > 0 ? named : own ? [[own, sentence] as [keyof Values, string]] : [];
    for (const [field, said] of faulty) state.setError(field, { by: 'server', sentence: said });
    if (faulty.length > 0) awaitsFocus.current = tried.current;
    else if (refused.isAnswered) setRefusal(sentence);
    else showToast(sentence, 'danger');
  };

  /** Judges all fields; when they are right, what is to be asked besides may be asked before they are sent. */
  const check = (event: FormEvent): boolean => {
    event.preventDefault();
    // React empties it once the handler has returned.
    tried.current = event.currentTarget;
    setRefusal(undefined);
    if (state.tryOut(faultsOf)) return true;
    awaitsFocus.current = tried.current;
    return false;
  };

  const send = async (besides?: Partial<Values>): Promise<void> => {
    const sent = { ...state.snapshot().values, ...besides };
    const answer = await submitCall(withoutEmpty(options.request(sent)) as RequestOf<C>);
    if (answer.ok) {
      kept?.forget();
      options.onDone(answer.data, sent);
    } else takeRefusal(answer, sent);
  };

  const submit = async (event: FormEvent): Promise<void> => {
    if (check(event)) await send();
  };

  return { form, errorOf, submit, check, send, isBusy, refusal };
}
