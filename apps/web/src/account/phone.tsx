import { editUser, type User } from '@sathorn/api';
import { FormPage, FormProvider, useCallForm } from '@sathorn/app/forms';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { Card, ListRow, PasswordField, useText } from '@sathorn/ui';
import { type FormEvent, useState } from 'react';
import { AccountGate } from '../parts/account/account-gate.tsx';
import { useAccount } from '../parts/account/use-account.ts';
import {
  ContactFields,
  type ContactValues,
  contactFaults,
  contactRequest,
  NO_CONTACT,
  useAreaCode,
} from '../parts/forms/contact-fields.tsx';
import { FactorSheet, useFactorSheet } from '../parts/forms/factor-sheet.tsx';
import { PaymentSheet } from '../parts/forms/payment-sheet.tsx';
import { usePaymentPasswordFault } from '../parts/forms/use-payment-password-fault.ts';
import './settings.css';

/** `#/pages/mine/setting/phone`: changes the phone number or email address. */
export default function Phone() {
  return <AccountGate>{(user) => <ContactForm user={user} />}</AccountGate>;
}

interface Values extends ContactValues {
  paypass: string;
  password: string;
  otp: string;
}

/** The code proves that the customer owns the new contact; the payment or login password proves who they are. */
function ContactForm({ user }: { user: User }) {
  const { t } = useText();
  const { back } = useNavigation();
  const { refresh } = useAccount();
  const areaCode = useAreaCode();
  const faultText = usePaymentPasswordFault();
  const factor = useFactorSheet();
  const [isAsking, setAsking] = useState(false);
  // This password was accepted and is sent again with the second factor.
  const [pin, setPin] = useState('');
  const [wrongPin, setWrongPin] = useState<{ sentence: string; attempt: number } | null>(null);
  const { form, errorOf, submit, check, send, isBusy, refusal } = useCallForm<typeof editUser, Values>(editUser, {
    initial: { ...NO_CONTACT, paypass: '', password: '', otp: '' },
    request: ({ paypass, password, otp, ...contact }) => ({
      ...contactRequest(contact, areaCode),
      paypass,
      password,
      ...(otp && { otp }),
    }),
    also: (values) => ({
      ...contactFaults(values),
      code: values.code.trim() === '' ? 'required' : undefined,
      password: !user.has_paypass && values.password === '' ? 'required' : undefined,
    }),
    refusalFields: { code_wrong: 'code', password_wrong: 'password' },
    onRefused: (refused, { mode, paypass }) => {
      const { code, message } = refused;
      if (factor.takeRefusal(refused)) {
        setPin(paypass);
        setAsking(false);
        return true;
      }
      if (code === 'paypass_wrong' || code === 'paypass_locked') {
        setWrongPin({ sentence: faultText(refused), attempt: (wrongPin?.attempt ?? 0) + 1 });
        return true;
      }
      setAsking(false);
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
  const ask = (event: FormEvent) => {
    if (!check(event)) return;
    setWrongPin(null);
    setAsking(true);
  };
  const { phone, email } = contactRequest(form.values, areaCode);
  const title =
    phone === undefined
      ? t('contact.confirm_email', { contact: email ?? '' })
      : t('contact.confirm_phone', { contact: phone });
  return (
    <FormProvider form={form}>
      <FormPage onSubmit={user.has_paypass ? ask : submit} submitLabel={t('form.save')} busy={isBusy} refusal={refusal}>
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
        {!user.has_paypass && (
          <Card>
            <PasswordField
              {...form.field('password')}
              label={t('form.password')}
              hint={t('contact.password_hint')}
              error={errorOf('password')}
              showLabel={t('form.show')}
              hideLabel={t('form.hide')}
            />
          </Card>
        )}
      </FormPage>
      <PaymentSheet
        open={isAsking}
        onClose={() => setAsking(false)}
        title={title}
        onPin={(paypass) => void send({ paypass })}
        busy={isBusy}
        refused={wrongPin}
      />
      <FactorSheet
        factor={factor}
        onClose={factor.close}
        title={title}
        operation="contact"
        subject={phone ?? email ?? ''}
        onProof={(otp) => void send({ paypass: pin, otp })}
        busy={isBusy}
      />
    </FormProvider>
  );
}

function Current({ icon, label, value }: { icon: 'phone' | 'mail'; label: string; value: string | null }) {
  const { t } = useText();
  return (
    <ListRow icon={icon} title={label} value={value === null ? t('contact.none') : <bdi dir="ltr">{value}</bdi>} />
  );
}
