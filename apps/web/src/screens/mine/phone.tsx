import { editUser, type User } from '@sathorn/api';
import { Card, ListRow, useText } from '@sathorn/ui';
import { useNavigation } from '../../navigation/navigation.tsx';
import { useAccount } from '../../parts/account/use-account.ts';
import {
  ContactFields,
  type ContactValues,
  contactFaults,
  contactRequest,
  NO_CONTACT,
  useAreaCode,
} from '../../parts/forms/contact-fields.tsx';
import { FormProvider } from '../../parts/forms/form.tsx';
import { FormPage } from '../../parts/forms/form-page.tsx';
import { useCallForm } from '../../parts/forms/use-call-form.ts';
import { showToast } from '../../shell/toasts.ts';
import { AccountGate } from './account-gate.tsx';

/** `#/pages/mine/setting/phone` */
export default function Phone() {
  return <AccountGate>{(user) => <ContactForm user={user} />}</AccountGate>;
}

function ContactForm({ user }: { user: User }) {
  const { t } = useText();
  const { back } = useNavigation();
  const { refresh } = useAccount();
  const areaCode = useAreaCode();
  const { form, errorOf, submit, isBusy, refusal } = useCallForm<typeof editUser, ContactValues>(editUser, {
    initial: NO_CONTACT,
    request: (values) => contactRequest(values, areaCode),
    also: (values) => ({ ...contactFaults(values), code: values.code.trim() === '' ? 'required' : undefined }),
    refusalFields: { code_wrong: 'code' },
    onRefused: ({ code, message }, { mode }) => {
      if ((code !== 'contact_taken' && code !== 'nothing_to_change') || !message) return false;
      form.setError(mode, { by: 'server', sentence: message });
      form.setFocus(mode);
      return true;
    },
    onDone: () => {
      refresh();
      showToast(t('form.saved'), 'success');
      back();
    },
  });
  return (
    <FormProvider form={form}>
      <FormPage onSubmit={submit} submitLabel={t('form.save')} busy={isBusy} refusal={refusal}>
        <Card tight className="contact-now">
          <Current icon="phone" label={t('form.phone')} value={user.phone} />
          <Current icon="mail" label={t('form.email')} value={user.email} />
        </Card>
        <Card>
          <ContactFields
            purpose="edit"
            errorOf={errorOf}
            phoneLabel={t('contact.new_phone')}
            emailLabel={t('contact.new_email')}
          />
          <p className="muted">{t('contact.hint')}</p>
        </Card>
      </FormPage>
    </FormProvider>
  );
}

function Current({ icon, label, value }: { icon: 'phone' | 'mail'; label: string; value: string | null }) {
  const { t } = useText();
  return (
    <ListRow icon={icon} title={label} value={value === null ? t('contact.none') : <bdi dir="ltr">{value}</bdi>} />
  );
}
