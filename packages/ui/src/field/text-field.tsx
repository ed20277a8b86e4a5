import type { ComponentProps, ReactNode } from 'react';
import { FieldFrame } from './field.tsx';

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'className' | 'id' | 'prefix'> {
  label: string;
  labelUnseen?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  /** Shown before the text inside the field: an area code, an icon. */
  lead?: ReactNode;
  /** Shown after the text inside the field: a unit or a button. */
  trail?: ReactNode;
}

export function TextField({ label, labelUnseen = false, hint, error, lead, trail, ...input }: TextFieldProps) {
  return (
    <FieldFrame label={label} labelUnseen={labelUnseen} hint={hint} error={error}>
      {(ties) => (
        // The prefix of a left-to-right text (an area code) stays on its left in every language.
        <div className="ui-field-well" dir={lead ? input.dir : undefined}>
          {lead}
          <input type="text" autoCapitalize="none" autoCorrect="off" spellCheck={false} {...input} {...ties} />
          {trail}
        </div>
      )}
    </FieldFrame>
  );
}
