import type { ReactNode } from 'react';
import './segmented-control.css';

interface SegmentsProps<Value extends string> {
  legend: string;
  options: readonly { value: Value; label: ReactNode; look?: 'buy' | 'sell' }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** A row of a few choices, one of them selected. */
export function SegmentedControl<Value extends string>({ legend, options, value, onChange }: SegmentsProps<Value>) {
  return (
    <fieldset className="segments">
      <legend className="unseen">{legend}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          data-look={option.look}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
