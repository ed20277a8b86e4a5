import { forgetPassword } from '@sathorn/api';
import { FormPage, FormProvider, useCallForm } from '@sathorn/app/forms';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { Card, useText } from '@sathorn/ui';
import {
  ContactFields,
  type ContactValues,
  contactFaults,
  contactRequest,
  NO_CONTACT,
  useAreaCode,
} from '../parts/forms/contact-fields.tsx';
import {
  NewPasswordFields,
  type NewPasswordValues,
  NO_PASSWORD,
  newPasswordFaults,
} from '../parts/forms/new-password-fields.tsx';
import { LOGIN } from '../paths.ts';

type Values = ContactValues & NewPasswordValues;

/** `#/pages/login/forgetPwd`: resets a forgotten login password. */
export default function ForgotPassword() {
  const { t } = useText();
  const { query, redirect } = useNavigation();
  const areaCode = useAreaCode();

  const { form, errorOf, submit, isBusy, refusal } = useCallForm<typeof forgetPassword, Values>(forgetPassword, {
    initial: { ...NO_CONTACT, ...NO_PASSWORD },
    request: (values) => ({
      mode: values.mode,
      ...contactRequest(values, areaCode),
      password: values.password,
      confirm: values.confirm,
    }),
    also: (values) => ({ ...contactFaults(values), ...newPasswordFaults(values) }),
    refusalFields: { code_wrong: 'code', password_common: 'password' },
    onDone: () => {
      showToast(t('forget.done'), 'success');
      redirect(LOGIN, { from: query.get('from') ?? undefined });
    },
  });

  return (
    <FormProvider form={form}>
      <FormPage onSubmit={submit} submitLabel={t('forget.submit')} busy={isBusy} refusal={refusal}>
        <p className="form-lead">{t('forget.lead')}</p>
        <Card>
          <ContactFields purpose="forget" errorOf={errorOf} />
        </Card>
        <Card>
          <NewPasswordFields errorOf={errorOf} />
        </Card>
      </FormPage>
    </FormProvider>
  );
}
