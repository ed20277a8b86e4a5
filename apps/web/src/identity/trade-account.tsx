import { addPayee, type FieldFault, listPayees, type User } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { FormPage, useCallForm } from '@sathorn/app/forms';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { normaliseNumber } from '@sathorn/identity';
import { Button, Card, ErrorState, ListRow, TextField, useText } from '@sathorn/ui';
import { type FormEvent, useState } from 'react';
import { AccountGate } from '../parts/account/account-gate.tsx';
import { useAreaCode } from '../parts/forms/contact-fields.tsx';
import { phoneNumber } from '../parts/forms/phone-number.ts';
import { SelectField } from '../parts/forms/select-field.tsx';
import { MoneyNote } from '../parts/money/note.tsx';
import { PageNotLoaded } from '../parts/read/not-loaded.tsx';
import { IdentityTexts } from './identity-texts.tsx';
import { OwnerSheet } from './owner-sheet.tsx';
import { BankMark, CertifiedNameMark } from './payee-marks.tsx';
import { useOwnerProof } from './use-owner-proof.ts';

interface Values {
  real_name: string;
  bank: string;
  number: string;
  ifsc: string;
  phone: string;
  email: string;
  paypass: string;
  otp: string;
}

/** `#/pages/mine/setting/tradeAccount`: the bank cards, and a form to add one. */
export default function TradeAccount() {
  return (
    <IdentityTexts>
      <AccountGate>{(user) => <Cards user={user} />}</AccountGate>
    </IdentityTexts>
  );
}

function Cards({ user }: { user: User }) {
  const texts = useText();
  const { t } = useText<'identity'>();
  const { navigate } = useNavigation();
  const { data, error, refetch } = useRead(listPayees, {}, { freshForMs: 0 });
  const [isAdding, setAdding] = useState(false);
  if (!data) return <PageNotLoaded read={{ error, refetch }} failed={t('payees.failed')} rows={3} />;
  if (!user.has_paypass)
    return (
      <div className="page">
        <Card>
          <ErrorState
            icon="key"
            title={t('security.need_paypass')}
            action={{ label: texts.t('setting.set_paypass'), onPress: () => navigate('/pages/mine/setting/paypass') }}
          />
        </Card>
      </div>
    );
  if (isAdding || data.cards.length === 0)
    return (
      <CardForm
        user={user}
        banks={data.banks}
        isCertified={user.certification.primary === 'verified'}
        onAdded={() => {
          setAdding(false);
          void refetch();
        }}
      />
    );
  return (
    <div className="page">
      <Card tight>
        {data.cards.map((card) => (
          <ListRow
            key={card.id}
            lead={<BankMark />}
            title={
              <b>
                <bdi>{card.bank_name}</bdi>
              </b>
            }
            note={
              <>
                <bdi dir="ltr">{card.number}</bdi> <bdi>{card.real_name}</bdi>
                <CertifiedNameMark is={card.is_certified_name} />
              </>
            }
            onPress={() => navigate('/pages/mine/walletList')}
          />
        ))}
      </Card>
      <MoneyNote icon="shield">{t('payees.fixed')}</MoneyNote>
      {data.cards.length < data.cards_max && (
        <Button icon="card" onClick={() => setAdding(true)}>
          {t('payees.add_card')}
        </Button>
      )}
    </div>
  );
}

function CardForm({
  user,
  banks,
  isCertified,
  onAdded,
}: {
  user: User;
  banks: readonly { code: string; name: string; digits: readonly number[] }[];
  isCertified: boolean;
  onAdded: () => void;
}) {
  const { t } = useText<'identity'>();
  const texts = useText();
  const areaCode = useAreaCode();
  const proof = useOwnerProof(user.second_factor);
  const { form, errorOf, check, send, isBusy, refusal } = useCallForm<typeof addPayee, Values>(addPayee, {
    initial: {
      real_name: '',
      bank: '',
      number: '',
      ifsc: '',
      phone: user.phone ?? '',
      email: user.email ?? '',
      paypass: '',
      otp: '',
    },
    request: ({ otp, number, ifsc, phone, email, ...typed }) => ({
      type: 'card',
      ...typed,
      number: normaliseNumber(number),
      ifsc: normaliseNumber(ifsc),
      phone: phoneNumber(phone, areaCode),
      email: email.trim(),
      paypass: typed.paypass || '000000',
      ...(otp && { otp }),
    }),
    also: (values) =>
      Object.fromEntries(
        (['real_name', 'bank', 'number', 'ifsc', 'phone', 'email'] as const).map((field) => [
          field,
          values[field].trim() === '' ? 'required' : undefined,
        ]),
      ) as Record<string, FieldFault | undefined>,
    refusalFields: { payee_exists: 'number' },
    onRefused: (failure) => proof.takeRefusal(failure),
    onDone: () => {
      proof.close();
      showToast(t('payees.saved'), 'success');
      onAdded();
    },
  });
  const ask = (event: FormEvent) => {
    if (check(event)) proof.ask();
  };
  const { bank, number } = form.values;
  const chosen = banks.find(({ code }) => code === bank);
  const digits = normaliseNumber(number);
  return (
    <>
      <FormPage onSubmit={ask} submitLabel={t('payees.add_card')} busy={isBusy} refusal={refusal}>
        <Card className="stack">
          <TextField
            {...form.field('real_name')}
            label={t('card.real_name')}
            hint={isCertified ? t('card.real_name_hint') : undefined}
            error={errorOf('real_name')}
            autoComplete="name"
            dir="auto"
          />
          <SelectField
            {...form.field('bank')}
            // A select's events differ from an input's only in the type of their element.
            ref={undefined}
            onChange={(event) => form.set('bank', event.target.value)}
            label={t('card.bank')}
            error={errorOf('bank')}
          >
            <option value="">{t('card.choose_bank')}</option>
            {banks.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </SelectField>
          <TextField
            {...form.field('number')}
            label={t('card.number')}
            hint={chosen ? t('card.number_hint', { digits: chosen.digits.join(' / ') }) : undefined}
            error={errorOf('number')}
            inputMode="numeric"
            autoComplete="off"
            dir="ltr"
          />
          <TextField
            {...form.field('ifsc')}
            label={t('card.ifsc')}
            hint={t('card.ifsc_hint')}
            error={errorOf('ifsc')}
            inputMode="numeric"
            autoComplete="off"
            dir="ltr"
          />
          <TextField
            {...form.field('phone')}
            label={texts.t('form.phone')}
            error={errorOf('phone')}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            dir="ltr"
          />
          <TextField
            {...form.field('email')}
            label={texts.t('form.email')}
            error={errorOf('email')}
            type="email"
            inputMode="email"
            autoComplete="email"
            dir="ltr"
          />
        </Card>
        <MoneyNote icon="clock">{t('card.wait')}</MoneyNote>
      </FormPage>
      <OwnerSheet
        open={proof.isOpen}
        onClose={proof.close}
        title={t('card.confirm', { bank: chosen?.name ?? '', number: `•••• ${digits.slice(-4)}` })}
        asksCode={proof.asksCode}
        factor={{ operation: 'payee', subject: `${bank} ${digits}` }}
        onProof={({ paypass, otp = '' }) => void send({ paypass, otp })}
        busy={isBusy}
        refused={proof.refused}
      />
    </>
  );
}
