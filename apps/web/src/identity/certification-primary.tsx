import { certifyCustomer, type FieldFault } from '@sathorn/api';
import { useCallForm } from '@sathorn/app/forms';
import {
  type DocumentType,
  faultOfNumber,
  ID_CARD_DIGITS,
  idCardGroups,
  normaliseDocumentNumber,
  normaliseWord,
} from '@sathorn/identity';
import { formatCount } from '@sathorn/text';
import { TextField, useText } from '@sathorn/ui';
import { useState } from 'react';
import { CertificationForm, CertificationPage, type LevelFormProps } from './certification-parts.tsx';
import { DateField } from './date-field.tsx';

interface Values {
  type: string;
  name: string;
  number: string;
  birth_date: string;
}

/** `#/pages/mine/Certification/primary`: the form of the primary level. */
export default function CertificationPrimary() {
  return <CertificationPage at="primary" Form={PrimaryForm} />;
}

function PrimaryForm({ certification, head, onSent }: LevelFormProps) {
  const { t, presentation } = useText<'identity'>();
  const { primary } = certification;
  const call = useCallForm<typeof certifyCustomer, Values>(certifyCustomer, {
    initial: {
      type: primary.type ?? 'id_card',
      name: primary.name ?? '',
      number: '',
      birth_date: primary.birth_date ?? '',
    },
    request: ({ number, ...typed }) => ({ level: 'primary', ...typed, number: normaliseDocumentNumber(number) }),
    also: (values): Record<string, FieldFault | undefined> => ({
      name: values.name.trim() === '' ? 'required' : undefined,
      number: values.number.trim() === '' ? 'required' : undefined,
      birth_date: values.birth_date === '' ? 'required' : undefined,
    }),
    onDone: onSent,
  });
  const { form, errorOf } = call;
  const [wasLeft, setLeft] = useState(false);
  const type = form.values.type as DocumentType;
  const digits = normaliseDocumentNumber(form.values.number);
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
    <CertificationForm
      certification={certification}
      head={head}
      call={call}
      type={type}
      onType={(value) => form.set('type', value)}
    >
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
          const typed = normaliseWord(event.target.value);
          form.set('number', isCard ? idCardGroups(normaliseDocumentNumber(typed).slice(0, ID_CARD_DIGITS)) : typed);
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
    </CertificationForm>
  );
}
