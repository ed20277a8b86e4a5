import type { DepositChannel } from '@sathorn/api';
import { useText } from '@sathorn/ui';
import { MoneyNote } from '../parts/money/note.tsx';

const REASONS = ['no_account', 'rate_unknown', 'no_address'] as const;

/** Asks the customer not to pay while a channel is paused, with the reason if it is known. */
export function PausedNote({ reason }: Pick<DepositChannel, 'reason'>) {
  const { t } = useText<'money'>();
  const known = REASONS.find((code) => code === reason);
  return (
    <MoneyNote tone="warn" icon="warning" title={t('deposit.paused')}>
      {known && <p>{t(`deposit.paused_reason.${known}`)}</p>}
      <p>{t('deposit.paused_lead')}</p>
    </MoneyNote>
  );
}
