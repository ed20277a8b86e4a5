import { type KeyboardEvent, type ReactNode, useId } from 'react';
import './switch.css';

/** A setting that is on or off; the whole row can be pressed. */
export function Switch({
  label,
  note,
  checked,
  onChange,
  disabled,
}: {
  label: ReactNode;
  note?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}) {
  const id = useId();
  return (
    <label className="ui-switch" htmlFor={id}>
      <span>
        {label}
        {note && <span className="cap">{note}</span>}
      </span>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  );
}

export interface RadioChoice<Value extends string> {
  value: Value;
  label: ReactNode;
  note?: ReactNode;
  lead?: ReactNode;
  /** The option's own language, in a list of languages. */
  lang?: string;
}

/** A single choice: a list of rows with a tick on the chosen one. */
export function RadioList<Value extends string>({
  legend,
  name,
  choices,
  value,
  onChange,
}: {
  legend: string;
  name: string;
  choices: readonly RadioChoice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  return (
    <fieldset className="ui-radio-list" onKeyDown={moveFocus}>
      <legend className="unseen">{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="ui-radio">
          {choice.lead}
          <span lang={choice.lang}>
            {choice.label}
            {choice.note && <span className="cap">{choice.note}</span>}
          </span>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
        </label>
      ))}
    </fieldset>
  );
}

/**
 * Arrow keys only move the focus, because a selection takes effect at once and would make options further down
 * unreachable. The space bar selects.
 */
function moveFocus(event: KeyboardEvent<HTMLFieldSetElement>): void {
  const step = /^Arrow(Down|Right)$/.test(event.key) ? 1 : /^Arrow(Up|Left)$/.test(event.key) ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const radios = [...event.currentTarget.querySelectorAll<HTMLElement>('input')];
  const at = radios.indexOf(event.target as HTMLElement);
  radios[(at + step + radios.length) % radios.length]?.focus();
}

/** A checkbox with text that may contain links. */
export function Checkbox({
  children,
  checked,
  onChange,
  error,
}: {
  children: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  error?: string | undefined;
}) {
  const id = useId();
  return (
    <div className="ui-checkbox">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{children}</label>
      {error && (
        <div className="ui-checkbox-note" id={`${id}-note`} aria-live="polite">
          {error}
        </div>
      )}
    </div>
  );
}
