import { type ComponentProps, useId } from 'react';

/** A labelled field. Its error is shown below it and linked for screen readers. */
export function Field({
  label,
  fault,
  ...rest
}: { label: string; fault?: string | undefined } & Omit<ComponentProps<'input'>, 'className'>) {
  const id = useId();
  return (
    <div className="labelled">
      <label htmlFor={id}>{label}</label>
      <input
        {...rest}
        id={id}
        className="field"
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
      />
      {fault && (
        <p id={`${id}-fault`} className="da sm">
          {fault}
        </p>
      )}
    </div>
  );
}

export function TextArea({
  label,
  fault,
  ...rest
}: { label: string; fault?: string | undefined } & Omit<ComponentProps<'textarea'>, 'className'>) {
  const id = useId();
  return (
    <div className="labelled">
      <label htmlFor={id}>{label}</label>
      <textarea {...rest} id={id} className="field" rows={3} aria-invalid={fault ? true : undefined} />
      {fault && <p className="da sm">{fault}</p>}
    </div>
  );
}

export function Select({
  label,
  options,
  ...rest
}: { label: string; options: readonly (readonly [value: string, label: string])[] } & Omit<
  ComponentProps<'select'>,
  'className'
>) {
  const id = useId();
  return (
    <div className="labelled">
      <label htmlFor={id}>{label}</label>
      <select {...rest} id={id} className="field">
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
