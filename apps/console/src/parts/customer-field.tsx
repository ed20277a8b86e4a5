import { routeHash } from '../route.ts';
import { Field } from './field.tsx';

/** A field that finds a customer by number or user name, and links to the one it has found. */
export function CustomerField({
  label,
  value,
  fault,
  placeholder,
  found,
  onChange,
  onBlur,
}: {
  label: string;
  value: string;
  fault: string | undefined;
  placeholder?: string;
  found: { readonly id: string; readonly username: string } | null;
  onChange: (typed: string) => void;
  onBlur?: () => void;
}) {
  return (
    <div>
      <Field
        label={label}
        value={value}
        fault={fault}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        onChange={({ target }) => onChange(target.value)}
        onBlur={onBlur}
      />
      <p className="c field-note" role="status">
        {found && !fault && (
          <a href={routeHash('customers', found.id)}>
            <bdi>{found.username}</bdi> · {found.id}
          </a>
        )}
      </p>
    </div>
  );
}
