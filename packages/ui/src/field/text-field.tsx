import type { ComponentProps, ReactNode } from 'react';
import { FieldFrame } from './field.tsx';

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'className' | 'id' | 'prefix'> {
  label: string;
  labelUnseen?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  /** Before the text, inside the well: an area code, an icon. */
  lead?: ReactNode;
  /** After the text, inside the well: a unit or a button. */
  trail?: ReactNode;
}

export function TextField({ label, labelUnseen = false, hint, error, lead, trail, ...input }: TextFieldProps) {
  return (
    <FieldFrame label={label} labelUnseen={labelUnseen} hint={hint} error={error}>
      {(ties) => (
        // A prefix of a left-to-right text (an area code) stands to its left in every language.
        <div className="ui-field-well" dir={lead ? input.dir : undefined}>
          {lead}
          <input type="text" autoCapitalize="none" autoCorrect="off" spellCheck={false} {...input} {...ties} />
          {trail}
        </div>
      )}
    </FieldFrame>
  );
}
