import { changePassword, OWN_SUBJECT } from '@sathorn/api';
import { FormPage, FormProvider, useCallForm } from '@sathorn/app/forms';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { Card, PasswordField, useText } from '@sathorn/ui';
import { FactorSheet, useFactorSheet } from '../parts/forms/factor-sheet.tsx';
import {
  NewPasswordFields,
  type NewPasswordValues,
  NO_PASSWORD,
  newPasswordFaults,
} from '../parts/forms/new-password-fields.tsx';

interface Values extends NewPasswordValues {
  old: string;
  otp: string;
}

/** `#/pages/mine/setting/password`: changes the login password. */
export default function LoginPassword() {
  const { t } = useText();
  const { back } = useNavigation();
  const factor = useFactorSheet();
  const { form, errorOf, submit, send, isBusy, refusal } = useCallForm<typeof changePassword, Values>(changePassword, {
    initial: { old: '', otp: '', ...NO_PASSWORD },
    request: ({ otp, ...values }) => ({ ...values, ...(otp && { otp }) }),
    also: newPasswordFaults,
    refusalFields: { password_wrong: 'old', password_common: 'password', password_unchanged: 'password' },
    // The server asks for the factor only after it has accepted the old password.
    onRefused: factor.takeRefusal,
    onDone: () => {
      showToast(t('password.done'), 'success');
      back();
    },
  });
  return (
    <FormProvider form={form}>
      <FormPage onSubmit={submit} submitLabel={t('form.save')} busy={isBusy} refusal={refusal}>
        <p className="form-lead">{t('password.lead')}</p>
        <Card>
          <PasswordField
            {...form.field('old')}
            label={t('password.old')}
            error={errorOf('old')}
            showLabel={t('form.show')}
            hideLabel={t('form.hide')}
          />
          <NewPasswordFields errorOf={errorOf} />
        </Card>
      </FormPage>
      <FactorSheet
        factor={factor}
        onClose={factor.close}
        title={t('setting.password')}
        operation="login_password"
        subject={OWN_SUBJECT}
        onProof={(otp) => void send({ otp })}
        busy={isBusy}
      />
    </FormProvider>
  );
}
