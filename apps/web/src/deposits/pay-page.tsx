import type { DepositRecord } from '@sathorn/api';
import { Late } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { BANKS, isBankCode } from '@sathorn/identity';
import type { Language } from '@sathorn/text';
import { Button, Card, Icon, Skeleton, useText } from '@sathorn/ui';
import { useState } from 'react';
import { useCopyText } from '../parts/money/copy.tsx';
import { MoneyFacts } from '../parts/money/facts.tsx';
import { MoneyTexts } from '../parts/money/money-texts.tsx';
import { NoRecord } from '../parts/money/record-details.tsx';
import { StaleLine } from '../parts/money/stale-line.tsx';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import { useDeposit } from '../parts/money/use-records.ts';
import { RateClock } from './rate-clock.tsx';
import { Slip } from './slip.tsx';
import './deposit.css';
import './pay-page.css';

const loadQrCode = () => import('./qr-code.tsx');

/** The amount, the account and the reference of a payment; how long the rate holds; and the upload of the slip. */
export function PayPage({ kind }: { kind: 'promptpay' | 'bank' }) {
  return (
    <MoneyTexts>
      <Pay kind={kind} />
    </MoneyTexts>
  );
}

function Pay({ kind }: { kind: 'promptpay' | 'bank' }) {
  const { t } = useText<'money'>();
  const { query } = useNavigation();
  const { record, error, refetch } = useDeposit(query.get('id') ?? '');

  if (record === undefined && !error) {
    return (
      <div className="page">
        <Card className="pay-card">
          <Skeleton height={34} width={160} />
          <Skeleton height={16} width={200} />
          <Skeleton height={196} width={196} />
          <Skeleton height={44} />
        </Card>
        <Card>
          <Skeleton height={76} />
        </Card>
      </div>
    );
  }
  if (!record?.fiat)
    return <NoRecord setup="recharge" error={error} unknown={t('deposit.unknown')} onRetry={refetch} />;
  return <Order kind={kind} record={record} fiat={record.fiat} />;
}

/** Returns a bank's Thai name for Thai readers, otherwise its English name. */
const bankNameOf = ({ bank, bank_name: name }: NonNullable<DepositRecord['bank']>, language: Language): string =>
  language === 'th' && isBankCode(bank) ? BANKS[bank].thai : name;

interface OrderProps {
  kind: 'promptpay' | 'bank';
  record: DepositRecord;
  fiat: NonNullable<DepositRecord['fiat']>;
}

function Order({ kind, record, fiat: paid }: OrderProps) {
  const { t, presentation } = useText<'money'>();
  const { redirect } = useNavigation();
  const { usdt, fiat, rate } = useMoneyFormats();
  const copy = useCopyText();
  const amount = fiat(paid.amount, paid.currency);
  const isOpen = record.status === 'pending';

  return (
    <div className="page">
      <StaleLine />
      <Card className="pay-card">
        <p className="pay-amount num">
          <bdi>{amount}</bdi>
        </p>
        <p className="muted num">
          {t('deposit.get_at', { amount: usdt(record.amount), rate: rate(paid.rate, paid.currency) })}
        </p>
        {kind === 'promptpay' && record.qr !== null && isOpen && (
          <Late load={loadQrCode} waiting={<Skeleton height={212} width={212} />}>
            {(QrCode) => <QrCode payload={record.qr ?? ''} size={212} label={t('deposit.qr_of_order', { amount })} />}
          </Late>
        )}
        {kind === 'promptpay' && (
          <>
            <p>
              <b>
                <bdi>{record.bank?.account_name ?? ''}</bdi>
              </b>
              <span className="pay-reference">
                {t('money.reference')} <bdi className="mono">{paid.reference}</bdi>
              </span>
            </p>
            {isOpen && (
              <div className="pay-buttons">
                <SavePicture record={record} amount={amount} />
                <Button look="soft" icon="copy" onClick={() => void copy(paid.reference)}>
                  {t('money.reference')}
                </Button>
              </div>
            )}
          </>
        )}
      </Card>
      {kind === 'bank' && (
        <Card tight>
          <MoneyFacts
            facts={[
              record.bank && {
                key: 'bank',
                name: t('money.bank'),
                value: bankNameOf(record.bank, presentation.language),
              },
              record.bank && { key: 'name', name: t('money.account_name'), value: record.bank.account_name },
              record.bank && {
                key: 'number',
                name: t('money.account_number'),
                value: <bdi dir="ltr">{record.bank.number}</bdi>,
                copy: { text: record.bank.number.replace(/[^0-9]/g, ''), label: t('money.copy_account') },
              },
              {
                key: 'amount',
                name: t('money.amount'),
                value: amount,
                copy: { text: paid.amount, label: t('money.copy_amount') },
              },
              {
                key: 'reference',
                name: t('money.reference'),
                about: t('deposit.reference_why'),
                value: <bdi className="mono">{paid.reference}</bdi>,
                copy: { text: paid.reference, label: t('money.copy_reference') },
              },
            ]}
          />
        </Card>
      )}
      {isOpen && record.step === 'awaiting_slip' && <RateClock from={record.created_at} to={paid.rate_until} />}
      {isOpen ? (
        <Slip record={record} />
      ) : (
        <Card className="pay-done">
          <Icon name={record.status === 'completed' ? 'check' : 'cross'} size={28} />
          <p>{t(`deposit.step.${record.step}`)}</p>
          <Button look="soft" onClick={() => redirect('/pages/Recharge/orderDetails', { id: record.id })}>
            {t('screen.deposit_details')}
          </Button>
        </Card>
      )}
    </div>
  );
}

function SavePicture({ record, amount }: { record: DepositRecord; amount: string }) {
  const { t } = useText<'money'>();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const { saveQrPicture } = await import('./save-qr-picture.ts');
      await saveQrPicture({
        payload: record.qr ?? '',
        title: amount,
        lines: [record.bank?.account_name ?? '', `${t('money.reference')} ${record.fiat?.reference ?? ''}`],
        name: `promptpay-${record.order_number}.png`,
      });
      showToast(t('said.download_done'), 'success');
    } catch {
      showToast(t('chunk.failed'), 'danger');
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button look="soft" icon="download" busy={isBusy} onClick={() => void save()}>
      {t('deposit.save_picture')}
    </Button>
  );
}
