interface ChipsProps<Value extends string> {
  values: readonly Value[];
  /** Null if none is pressed. */
  value: Value | null;
  onChange: (value: Value) => void;
  label: (value: Value) => string;
}

/** A row of buttons, at most one of which is pressed. */
export function Chips<Value extends string>({ values, value, onChange, label }: ChipsProps<Value>) {
  return values.map((one) => (
    <button
      key={one}
      type="button"
      className="chip"
      data-on={one === value ? '' : undefined}
      aria-pressed={one === value}
      onClick={() => onChange(one)}
    >
      {label(one)}
    </button>
  ));
}
