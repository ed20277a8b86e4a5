import { FieldFrame, Icon } from '@sathorn/ui';
import type { ComponentProps } from 'react';
import './select-field.css';

interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'className' | 'id'> {
  label: string;
  error?: string | undefined;
}

/** The native select, styled like our other fields. */
export function SelectField({ label, error, children, ...select }: SelectFieldProps) {
  return (
    <FieldFrame label={label} error={error}>
      {(ties) => (
        <div className="ui-field-well select-field">
          <select {...select} {...ties}>
            {children}
          </select>
          <Icon name="down" size={18} />
        </div>
      )}
    </FieldFrame>
  );
}
