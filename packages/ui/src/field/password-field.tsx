import { useState } from 'react';
import { IconButton } from '../button.tsx';
import { TextField, type TextFieldProps } from './text-field.tsx';

interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'trail'> {
  showLabel: string;
  hideLabel: string;
}

export function PasswordField({ showLabel, hideLabel, ...field }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      autoComplete="current-password"
      {...field}
      dir="ltr"
      type={isShown ? 'text' : 'password'}
      trail={
        <IconButton
          icon={isShown ? 'eye-off' : 'eye'}
          label={isShown ? hideLabel : showLabel}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  );
}
