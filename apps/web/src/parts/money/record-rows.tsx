import type { DepositRecord, WithdrawalRecord } from '@sathorn/api';
import { useNavigation } from '@sathorn/app/navigation';
import { formatCount } from '@sathorn/text';
import { Badge, type BadgeTone, Icon, type IconName, ListRow, Money, ProgressBar, useText } from '@sathorn/ui';
import { useAreAmountsHidden } from '../account/hide-amounts-head.tsx';
import { ChainMark } from './chain-mark.tsx';
import { shortAddress } from './grouped-address.tsx';
import { useMoneyFormats } from './use-money.ts';
import './record-rows.css';

const DEPOSIT_TONES: Readonly<Record<DepositRecord['status'], BadgeTone>> = {
  pending: 'warn',
  completed: 'success',
  failed: 'danger',
};
const WITHDRAWAL_TONES: Readonly<Record<WithdrawalRecord['status'], BadgeTone>> = {
  review: 'warn',
  processing: 'brand',
  success: 'success',
  failed: 'danger',
};

/** The results of a transfer on another network, in the words of a deposit's steps. */
const ENDED = { credited: 'credited', returned: 'sent_back', unrecoverable: 'closed' } as const;

/** A bank channel's mark, in the size of a chain's. */
export function RailMark({ icon, size = 38 }: { icon: IconName; size?: number }) {
  return (
    <span className="rail-mark" style={{ inlineSize: size, blockSize: size }}>
      <Icon name={icon} size={size * 0.52} />
    </span>
  );
}

/** A deposit in a list; links to its details, or to the payment page if it is unpaid. */
export function DepositRow({ record }: { record: DepositRecord }) {
  const { t, presentation } = useText<'money'>();
  const { navigate } = useNavigation();
  const { moment, fiat, ltr } = useMoneyFormats();
  const isHidden = useAreAmountsHidden();
  const { confirmations, confirmations_needed: needed, elsewhere } = record;
  const isConfirming = record.step === 'confirming' && confirmations !== null && needed !== null;
  const page =
    record.step !== 'awaiting_slip' || record.status !== 'pending'
      ? 'orderDetails'
      : record.kind === 'promptpay'
        ? 'qrpay'
        : 'bankpay';
  return (
    <ListRow
      lead={record.chain ? <ChainMark chain={record.chain} /> : <RailMark icon={railIcon(record.kind)} />}
      title={record.chain?.name ?? t(`money.kind.${record.kind}`)}
      note={
        <>
          {moment(record.created_at)}
          {record.fiat && !isHidden && (
            <span className="record-line">{fiat(record.fiat.came ?? record.fiat.amount, record.fiat.currency)}</span>
          )}
          {isConfirming && (
            <span className="record-progress">
              <ProgressBar
                share={Math.min(1, confirmations / Math.max(1, needed))}
                look="success"
                label={t('deposit.confirmations')}
              />
            </span>
          )}
        </>
      }
      value={
        <span className="record-end">
          <b data-income={record.status === 'completed' && !isHidden ? '' : undefined}>
            <Money
              amount={elsewhere?.amount ?? record.amount}
              asset={elsewhere?.token ?? 'USDT'}
              exact
              signed={record.status === 'completed'}
              hidden={isHidden}
            />
          </b>
          <Badge tone={DEPOSIT_TONES[record.status]}>
            {isConfirming
              ? ltr(
                  t('deposit.of_needed', {
                    count: formatCount(Math.min(confirmations, needed), presentation),
                    needed: formatCount(needed, presentation),
                  }),
                )
              : t(`deposit.step.${elsewhere?.ending ? ENDED[elsewhere.ending] : record.step}`)}
          </Badge>
        </span>
      }
      onPress={() => navigate(`/pages/Recharge/${page}`, { id: record.id })}
    />
  );
}

/** A withdrawal in a list. */
export function WithdrawalRow({ record }: { record: WithdrawalRecord }) {
  const { t } = useText<'money'>();
  const { navigate } = useNavigation();
  const { moment } = useMoneyFormats();
  const isHidden = useAreAmountsHidden();
  const { payee } = record;
  return (
    <ListRow
      lead={record.chain ? <ChainMark chain={record.chain} /> : <RailMark icon="card" />}
      title={<bdi>{payee.name}</bdi>}
      note={
        <>
          <bdi dir="ltr">{payee.address === null ? (payee.number ?? '') : shortAddress(payee.address)}</bdi>
          <span className="record-line">{moment(record.created_at)}</span>
        </>
      }
      value={
        <span className="record-end">
          <b>
            <Money amount={`-${record.amount}`} asset="USDT" exact hidden={isHidden} />
          </b>
          <Badge tone={WITHDRAWAL_TONES[record.status]}>{t(`withdrawal.status.${record.status}`)}</Badge>
        </span>
      }
      onPress={() => navigate('/pages/Withdraw/orderDetails', { id: record.id })}
    />
  );
}

export const railIcon = (kind: DepositRecord['kind']): IconName =>
  kind === 'crypto' ? 'coin' : kind === 'promptpay' ? 'phone' : 'company';
