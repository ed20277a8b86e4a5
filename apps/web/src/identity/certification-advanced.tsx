import { certifyCustomer, type FieldFault } from '@sathorn/api';
import { useCallForm } from '@sathorn/app/forms';
import {
  type DocumentSide,
  type DocumentType,
  FOR_LIFE_EXPIRY,
  mayBeForLife,
  normaliseDocumentNumber,
  SIDES_OF_DOCUMENT,
} from '@sathorn/identity';
import { Checkbox, TextField, useText } from '@sathorn/ui';
import { CertificationForm, CertificationPage, type LevelFormProps } from './certification-parts.tsx';
import { DateField } from './date-field.tsx';
import { SidePicture } from './side-picture.tsx';
import '@sathorn/app/forms/form-page.css';

interface Values {
  type: string;
  name: string;
  number: string;
  birth_date: string;
  expires: string;
  front: string;
  back: string;
  selfie: string;
}

/** The fields to type again for each reason of a rejection. */
const TYPED: Readonly<Record<string, readonly (keyof Values)[]>> = {
  name_differs: ['name'],
  number_differs: ['number'],
  birth_date_differs: ['birth_date'],
  expiry_differs: ['expires'],
  document_expired: ['expires'],
  wrong_document: ['name', 'number', 'birth_date', 'expires'],
};

/** `#/pages/mine/Certification/advanced`: the form of the advanced level. */
export default function CertificationAdvanced() {
  return <CertificationPage at="advanced" Form={AdvancedForm} />;
}

function AdvancedForm({ certification, head, onSent }: LevelFormProps) {
  const { t } = useText<'identity'>();
  const { primary, advanced } = certification;
  const isAgain = advanced.state === 'rejected';
  const base = isAgain ? advanced : primary;
  // After a rejection the form has only the fields that its reasons name. The first time it has the fields that the
  // primary level lacks.
  const asked = new Set<keyof Values>(
    isAgain ? advanced.reasons.flatMap((reason) => TYPED[reason] ?? []) : ['number', 'expires'],
  );
  const call = useCallForm<typeof certifyCustomer, Values>(certifyCustomer, {
    initial: {
      type: base.type ?? 'id_card',
      name: base.name ?? '',
      number: '',
      birth_date: base.birth_date ?? '',
      expires: '',
      front: '',
      back: '',
      selfie: '',
    },
    request: ({ type, name, number, birth_date: birthDate, expires, ...pictures }) => ({
      level: 'advanced',
      type,
      name,
      birth_date: birthDate,
      number: normaliseDocumentNumber(number) || undefined,
      expires: expires || undefined,
      ...Object.fromEntries(Object.entries(pictures).map(([side, id]) => [side, id || undefined])),
    }),
    also: (values): Record<string, FieldFault | undefined> =>
      Object.fromEntries([
        ...[...asked].map((field) => [field, values[field] === '' ? 'required' : undefined]),
        ...sidesOf(values.type).map((side) => [
          side,
          values[side] === '' && keptOf(side) === null ? 'required' : undefined,
        ]),
      ]),
    onDone: onSent,
  });
  const { form, errorOf } = call;
  const type = form.values.type as DocumentType;
  const sidesOf = (of: string): readonly DocumentSide[] => SIDES_OF_DOCUMENT[of as DocumentType];
  /** The previous application's picture of a side if it may stay; null for another document or a rejected side. */
  function keptOf(side: DocumentSide): string | null {
    if (!isAgain || form.values.type !== advanced.type || advanced.sides.includes(side)) return null;
    return advanced.pictures.find((picture) => picture.side === side)?.id ?? null;
  }
  const isAsked = (field: keyof Values) => asked.has(field) || type !== base.type;
  return (
    <CertificationForm
      certification={certification}
      head={head}
      call={call}
      type={type}
      onType={(value) => {
        form.set('type', value);
        // A document that always expires does not show this tick, so its value is cleared.
        if (!mayBeForLife(value) && form.values.expires === FOR_LIFE_EXPIRY) form.set('expires', '');
      }}
      pictures={sidesOf(type).map((side) => (
        <SidePicture
          key={`${type} ${side}`}
          side={side}
          isMasked={type === 'id_card' && side === 'front'}
          kept={keptOf(side)}
          error={form.values[side] === '' ? errorOf(side) : undefined}
          onUploaded={(id) => form.set(side, id)}
        />
      ))}
    >
      {isAsked('name') && (
        <TextField {...form.field('name')} label={t('cert.name')} error={errorOf('name')} dir="auto" />
      )}
      {isAsked('number') && (
        <TextField
          {...form.field('number')}
          label={t(type === 'id_card' ? 'cert.id_number' : 'cert.number')}
          error={errorOf('number')}
          inputMode={type === 'id_card' ? 'numeric' : 'text'}
          autoComplete="off"
          dir="ltr"
        />
      )}
      {isAsked('birth_date') && (
        <DateField
          value={form.values.birth_date}
          onChange={(day) => form.set('birth_date', day)}
          label={t('cert.birth_date')}
          error={errorOf('birth_date')}
          isBirth
        />
      )}
      {isAsked('expires') && (
        <>
          {form.values.expires !== FOR_LIFE_EXPIRY && (
            <DateField
              value={form.values.expires}
              onChange={(day) => form.set('expires', day)}
              label={t('cert.expires')}
              error={errorOf('expires')}
            />
          )}
          {mayBeForLife(type) && (
            <Checkbox
              checked={form.values.expires === FOR_LIFE_EXPIRY}
              onChange={(isForLife) => form.set('expires', isForLife ? FOR_LIFE_EXPIRY : '')}
            >
              {t('cert.for_life')}
            </Checkbox>
          )}
        </>
      )}
    </CertificationForm>
  );
}
