import type { Call, FieldFault, RequestOf, ResultOf } from '@sathorn/api';
import { fieldFaultKey } from '@sathorn/text';
import { useText } from '@sathorn/ui';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type DefaultValues, type FieldValues, type Path, type Resolver, useForm } from 'react-hook-form';
import { type Failure, failureText } from '../../client/answer.ts';
import { useCall } from '../../client/use-call.ts';
import { showToast } from '../../shell/toasts.ts';
import { faultyFields, withoutEmpty } from './faulty-fields.ts';

interface CallFormOptions<C extends Call, Values extends FieldValues> {
  initial: DefaultValues<Values>;
  /** What is sent for what was typed. Its fields bear the same names as the form's. */
  request: (values: Values) => Readonly<Record<string, string | undefined>>;
  /** Faults that lie between fields. */
  also?: (values: Values) => Readonly<Record<string, FieldFault | undefined>>;
  /** Fields that a refusal is about, where the server names none. */
  refusalFields?: Partial<Record<C['refusals'][number], Path<Values>>>;
  onDone: (result: ResultOf<C>, values: Values) => void;
  /** Looks at a refusal first; true when it has dealt with it. */
  onRefused?: (refused: Failure, values: Values) => boolean;
}

/**
 * A form over one call: checked by the call's own schema before it is sent, messages under the fields in the language in use, the
 * first faulty field focused, the server's faults mapped back onto the fields, nothing that was typed lost.
 */
export function useCallForm<C extends Call, Values extends FieldValues>(call: C, options: CallFormOptions<C, Values>) {
  const texts = useText();
  const { submit: send, isBusy } = useCall(call, { quiet: true });
  // Shown above the button when it belongs to no field.
  const [refusal, setRefusal] = useState<string>();

  const resolver: Resolver<Values> = (values) => {
    const faults = faultyFields(call.request, options.request(values), options.also?.(values));
    const errors = Object.fromEntries(
      Object.entries(faults).map(([field, fault]) => [field, { type: 'fault', message: fault }]),
    );
    return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors: errors as never };
  };
  const form = useForm<Values>({
    defaultValues: options.initial,
    resolver,
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    // By itself it would go by the order of registration, which is not that of the page.
    shouldFocusError: false,
  });

  // The form whose first faulty field, from the top of the page, gets the focus as soon as the messages are drawn.
  const awaitsFocus = useRef<Element>(null);
  useEffect(() => {
    const faulty = awaitsFocus.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid="true"]');
    if (!faulty) return;
    awaitsFocus.current = null;
    faulty.focus();
  });

  const { errors } = form.formState;
  const errorOf = (field: Path<Values>): string | undefined => {
    const error = errors[field];
    if (typeof error?.message !== 'string') return undefined;
    return error.type === 'server' ? error.message : texts.t(fieldFaultKey(texts.has, error.message, field));
  };

  const takeRefusal = (refused: Failure, values: Values, element: Element | null) => {
    if (options.onRefused?.(refused, values)) return;
    // The shell tells the end of a session and leads to sign-in.
    if (refused.code === 'session_required') return;
    const sentence = failureText(refused, texts);
    const named = Object.entries(refused.fields).filter(([field]) => field in values) as [Path<Values>, string][];
    const own = options.refusalFields?.[refused.code as C['refusals'][number]];
    const faulty = named.length > 0 ? named : own ? [[own, sentence] as [Path<Values>, string]] : [];
    for (const [field, message] of faulty) form.setError(field, { type: 'server', message });
    if (faulty.length > 0) awaitsFocus.current = element;
    else if (refused.isAnswered) setRefusal(sentence);
    else showToast(sentence, 'danger');
  };

  const submit = (event: FormEvent) => {
    // React empties it once the handler has returned.
    const element = event.currentTarget;
    setRefusal(undefined);
    return form.handleSubmit(
      async (values) => {
        const answer = await send(withoutEmpty(options.request(values)) as RequestOf<C>);
        if (answer.ok) options.onDone(answer.data, values);
        else takeRefusal(answer, values, element);
      },
      () => {
        awaitsFocus.current = element;
      },
    )(event);
  };

  return { form, errorOf, submit, isBusy, refusal };
}
