import { serverNow } from '@sathorn/app/stream';
import { Icon, useText } from '@sathorn/ui';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import type { Payee } from './payee.ts';

/** Shows when a new payee can be paid; renders nothing once it can. */
export function UsableFrom({ payee }: { payee: Payee }) {
  const { t } = useText<'withdrawals'>();
  const { moment } = useMoneyFormats();
  if (Date.parse(payee.usableFrom) <= serverNow()) return null;
  return (
    <span className="withdraw-waits">
      <Icon name="clock" size={14} /> {t('withdrawal.usable_from', { time: moment(payee.usableFrom) })}
    </span>
  );
}
