import { certifyCustomer, type FieldFault, type User } from '@sathorn/api';
import { FormPage, useCallForm } from '@sathorn/app/forms';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import {
  DOCUMENT_TYPES,
  type DocumentType,
  documentDigits,
  faultOfNumber,
  ID_CARD_DIGITS,
  idCardGroups,
  typedWord,
} from '@sathorn/identity';
import { formatCount } from '@sathorn/text';
import { Button, Card, Tabs, TextField, useText } from '@sathorn/ui';
import { useState } from 'react';
import { AccountGate } from '../parts/account/account-gate.tsx';
import { Assurances, CertificationGate, LevelState, LevelsCard } from './certification-parts.tsx';
import { DateField } from './date-field.tsx';
import { IdentityTexts } from './identity-texts.tsx';
import type { Certification } from './use-certification.ts';

interface Values {
  type: string;
  name: string;
  number: string;
  birth_date: string;
}

/** `#/pages/mine/Certification/primary` */
export default function CertificationPrimary() {
  return (
    <IdentityTexts>
      <AccountGate>
        {(user) => (
          <CertificationGate>
            {(certification, changed) => <Primary user={user} certification={certification} changed={changed} />}
          </CertificationGate>
        )}
      </AccountGate>
    </IdentityTexts>
  );
}

interface PrimaryProps {
  user: User;
  certification: Certification;
  changed: () => void;
}

function Primary({ certification, changed }: PrimaryProps) {
  const { t } = useText<'identity'>();
  const { navigate } = useNavigation();
  const { primary, promised_hours: hours, limits } = certification;
  const head = (
    <>
      <LevelsCard certification={certification} at="primary" />
      <LevelState level={primary} hours={hours} />
    </>
  );
  if (primary.state === 'none' || (primary.state === 'rejected' && !primary.is_final))
    return <PrimaryForm certification={certification} head={head} onSent={changed} />;
  return (
    <div className="page">
      {head}
      {primary.state === 'verified' && certification.advanced.state !== 'verified' && (
        <Button onClick={() => navigate('/pages/mine/Certification/advanced')}>{t('cert.to_advanced')}</Button>
      )}
      <Assurances limits={limits} />
    </div>
  );
}

function PrimaryForm({
  certification,
  head,
  onSent,
}: {
  certification: Certification;
  head: React.ReactNode;
  onSent: () => void;
}) {
  const { t, presentation } = useText<'identity'>();
  const { primary, limits } = certification;
  const { form, errorOf, submit, isBusy, refusal } = useCallForm<typeof certifyCustomer, Values>(certifyCustomer, {
    initial: {
      type: primary.type ?? 'id_card',
      name: primary.name ?? '',
      number: '',
      birth_date: primary.birth_date ?? '',
    },
    request: ({ number, ...typed }) => ({ level: 'primary', ...typed, number: documentDigits(number) }),
    also: (values): Record<string, FieldFault | undefined> => ({
      name: values.name.trim() === '' ? 'required' : undefined,
      number: values.number.trim() === '' ? 'required' : undefined,
      birth_date: values.birth_date === '' ? 'required' : undefined,
    }),
    onDone: () => {
      showToast(t('cert.sent'), 'success');
      onSent();
    },
  });
  const [wasLeft, setLeft] = useState(false);
  const type = form.values.type as DocumentType;
  const digits = documentDigits(form.values.number);
  const isCard = type === 'id_card';
  // Checks the number when the field loses focus, or once it has its full length.
  const isJudged = digits !== '' && (wasLeft || (isCard && digits.length >= ID_CARD_DIGITS));
  const fault = isJudged ? faultOfNumber(type, digits) : null;
  const numberFault =
    errorOf('number') ??
    (fault === null
      ? undefined
      : fault === 'id_number_short'
        ? t('cert.id_number_short', { missing: ID_CARD_DIGITS - digits.length })
        : t(`cert.${fault}`));
  return (
    <FormPage onSubmit={submit} submitLabel={t('cert.submit')} busy={isBusy} refusal={refusal}>
      {head}
      <Card className="stack">
        <Tabs
          label={t('cert.document')}
          tabs={DOCUMENT_TYPES.map((value) => ({ value, label: t(`cert.${value}`) }))}
          value={type}
          onChange={(value) => form.set('type', value)}
        />
        <TextField
          {...form.field('name')}
          label={t('cert.name')}
          error={errorOf('name')}
          autoComplete="name"
          autoCapitalize="words"
          dir="auto"
        />
        <TextField
          {...form.field('number')}
          onChange={(event) => {
            setLeft(false);
            const typed = typedWord(event.target.value);
            form.set('number', isCard ? idCardGroups(documentDigits(typed).slice(0, ID_CARD_DIGITS)) : typed);
          }}
          onBlur={() => setLeft(true)}
          label={t(isCard ? 'cert.id_number' : 'cert.number')}
          hint={isCard ? t('cert.digits', { count: formatCount(digits.length, presentation) }) : undefined}
          error={numberFault}
          inputMode={isCard ? 'numeric' : 'text'}
          autoComplete="off"
          dir="ltr"
        />
        <DateField
          value={form.values.birth_date}
          onChange={(day) => form.set('birth_date', day)}
          label={t('cert.birth_date')}
          error={errorOf('birth_date')}
          isBirth
        />
      </Card>
      <Assurances limits={limits} />
    </FormPage>
  );
}
