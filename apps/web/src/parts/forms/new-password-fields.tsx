import type { FieldFault } from '@sathorn/api';
import { useSurroundingForm } from '@sathorn/app/forms';
import { PasswordField, useText } from '@sathorn/ui';

export interface NewPasswordValues {
  password: string;
  confirm: string;
}

export const NO_PASSWORD: NewPasswordValues = { password: '', confirm: '' };

/** A new login password, typed twice. Must be inside a form with these values. */
export function NewPasswordFields({ errorOf }: { errorOf: (field: 'password' | 'confirm') => string | undefined }) {
  const { t } = useText();
  const form = useSurroundingForm<NewPasswordValues>();
  const words = { showLabel: t('form.show'), hideLabel: t('form.hide'), autoComplete: 'new-password' };
  return (
    <>
      <PasswordField
        {...words}
        {...form.field('password')}
        label={t('form.new_password')}
        hint={t('form.password_hint')}
        error={errorOf('password')}
      />
      <PasswordField
        {...words}
        {...form.field('confirm')}
        label={t('form.confirm_password')}
        error={errorOf('confirm')}
      />
    </>
  );
}

export function newPasswordFaults({ password, confirm }: NewPasswordValues): Record<string, FieldFault | undefined> {
  return { confirm: confirm !== '' && confirm !== password ? 'passwords_differ' : undefined };
}
