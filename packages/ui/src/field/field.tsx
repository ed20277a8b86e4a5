import { type ReactNode, useId } from 'react';
import { Icon } from '../icon.tsx';
import './field.css';

interface FieldFrameProps {
  label: string;
  /** Shown below the field when there is no error. */
  hint?: ReactNode;
  /** The error in the customer's language. It is linked to the input and replaces the hint. */
  error?: string | undefined;
  /** The label is visible to screen readers only. */
  labelUnseen?: boolean;
  children: (ties: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': true | undefined;
  }) => ReactNode;
}

/** A frame for every kind of input: the label above, the input, and the message below. */
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
      {/* Polite and not assertive: several fields may be faulty at once, and the focused field's name comes first. */}
      <div className="ui-field-note" id={noteId} aria-live={error ? 'polite' : undefined} hidden={!note}>
        {note}
      </div>
    </div>
  );
}

/** A tick at the end of a field, shown as soon as the typed value is valid. */
export function FieldTick() {
  return (
    <span className="ui-field-tick">
      <Icon name="check" size={18} />
    </span>
  );
}
