import { type ReactNode, useId } from 'react';
import './field.css';

interface FieldFrameProps {
  label: string;
  /** Under the field when nothing is wrong. */
  hint?: ReactNode;
  /** The fault, in the customer's language; it is linked to the input and replaces the hint. */
  error?: string | undefined;
  /** The label stays for screen readers only. */
  labelUnseen?: boolean;
  children: (ties: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': true | undefined;
  }) => ReactNode;
}

/** The label above, the input, and the message below, for every kind of input. */
export function FieldFrame({ label, hint, error, labelUnseen = false, children }: FieldFrameProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className="ui-field" data-faulty={error ? '' : undefined}>
      <label className={labelUnseen ? 'unseen' : 'ui-field-label'} htmlFor={id}>
        {label}
      </label>
      {children({ id, 'aria-describedby': note ? noteId : undefined, 'aria-invalid': error ? true : undefined })}
      {/* Several fields may be found wrong at once: they wait for each other, and for the name of the one that got the
          focus. */}
      <div className="ui-field-note" id={noteId} aria-live={error ? 'polite' : undefined} hidden={!note}>
        {note}
      </div>
    </div>
  );
}
