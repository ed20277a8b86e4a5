import type { Call, FieldFault, RequestOf, ResultOf } from '@sathorn/api';
import { fieldFaultKey } from '@sathorn/text';
import { useText } from '@sathorn/ui';
import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type Failure, failureText } from '../client/answer.ts';
import { useCall } from '../client/use-call.ts';
import { useSession } from '../session/session.ts';
import { showToast } from '../shell/toasts.ts';
import { faultyFields, withoutEmptyFields } from './faulty-fields.ts';
import type { Form } from './form.tsx';
import { FormState, type TextValues } from './form-state.ts';
import { forgetFormDrafts, type KeptValues, openFormDraft } from './kept-values.ts';

useSession.subscribe(({ token, endedBy }, before) => {
  if (token === null && before.token !== null && endedBy === null) forgetFormDrafts();
});

interface CallFormOptions<C extends Call, Values> {
  initial: Values;
  /** Builds the request from the typed values. Its field names are the form's. */
  request: (values: Values) => Readonly<Record<string, string | undefined>>;
  /** Faults that concern several fields. */
  also?: (values: Values) => Readonly<Record<string, FieldFault | undefined>>;
  /** The fields to which a refusal belongs if the server names none. */
  refusalFields?: Partial<Record<C['refusals'][number], keyof Values & string>>;
  /** Where typed values are kept across a reload until the form is done; by default all except secrets. */
  kept?: KeptValues<Values>;
  onDone: (result: ResultOf<C>, values: Values) => void;
  /** Handles a refusal first; returns true if the form must do nothing more. */
  onRefused?: (refused: Failure, values: Values) => boolean;
}

/**
 * A form for one call: checked by the call's schema before it is sent, with messages below the fields in the current
 * language, the focus on the first faulty field, and the server's faults mapped to the fields. Typed text is never
 * lost.
 */
export function useCallForm<C extends Call, Values extends TextValues<Values>>(
  call: C,
  options: CallFormOptions<C, Values>,
) {
  const texts = useText();
  const { submit: submitCall, isBusy } = useCall(call, { quiet: true });
  // A refusal that belongs to no field, shown above the button.
  const [refusal, setRefusal] = useState<string>();
  const person = useSession(({ user }) => user?.id ?? '');
  const [draft] = useState(() => openFormDraft(location.hash.split('?', 1)[0] ?? '', person, options.initial));
  const kept = options.kept ?? draft;
  const [state] = useState(() => new FormState<Values>({ ...options.initial, ...kept.read() }));
  const { values, errors } = useSyncExternalStore(state.subscribe, state.snapshot);
  useEffect(() => kept.write(values), [kept, values]);

  /** The faults of these values now, whether or not they are shown. */
  const faultsOf = (typed: Values) => faultyFields(call.request, options.request(typed), options.also?.(typed));
  const form: Form<Values> = {
    values,
    latest: () => state.snapshot().values,
    field: (name) => ({
      name,
      value: values[name],
      // The cast is safe: a field's input produces only values of that field.
      onChange: ({ target }) => state.change(name, target.value as Values[typeof name], faultsOf),
      ref: (element) => state.place(name, element),
    }),
    set: (name, value) => state.change(name, value, faultsOf),
    setError: (name, error) => state.setError(name, error),
    clearErrors: (names) => state.clearErrors(names),
    judge: (name) => state.judge(name, faultsOf),
    isValid: (name) =>
      values[name] !== '' && errors[name] === undefined && faultsOf(values)[name as string] === undefined,
    setFocus: (name) => state.focus(name),
  };

  // The form whose first faulty field gets the focus once the messages are rendered.
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

  /** Shows a refusal where it belongs. It may also be the refusal of another call, such as the check of a step. */
  const takeRefusal = (refused: Failure, sent: Values) => {
    if (options.onRefused?.(refused, sent)) return;
    // The shell announces the end of a session and opens sign-in.
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

  /**
   * Checks all fields, or those of a step; returns true if they are valid, so that a page can show its next step or ask
   * for a confirmation before it sends.
   */
  const check = (event: FormEvent, names?: readonly (keyof Values)[]): boolean => {
    event.preventDefault();
    // Stored, because React clears `currentTarget` when the handler returns.
    tried.current = event.currentTarget;
    setRefusal(undefined);
    if (state.tryOut(faultsOf, names)) return true;
    awaitsFocus.current = tried.current;
    return false;
  };

  const send = async (besides?: Partial<Values>): Promise<void> => {
    const sent = { ...state.snapshot().values, ...besides };
    const answer = await submitCall(withoutEmptyFields(options.request(sent)) as RequestOf<C>);
    if (answer.ok) {
      kept.forget();
      options.onDone(answer.data, sent);
    } else takeRefusal(answer, sent);
  };

  const submit = async (event: FormEvent): Promise<void> => {
    if (check(event)) await send();
  };

  return { form, errorOf, faultsOf, submit, check, send, takeRefusal, isBusy, refusal };
}
