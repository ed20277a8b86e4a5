import { serverNowMs } from '@sathorn/app/stream';
import { Icon, useText } from '@sathorn/ui';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import type { ChannelPayee } from './channel-payee.ts';

/** Shows when a new payee can be paid; renders nothing once it can. */
export function PayeeUsableFrom({ payee }: { payee: ChannelPayee }) {
  const { t } = useText<'withdrawals'>();
  const { moment } = useMoneyFormats();
  if (Date.parse(payee.usableFrom) <= serverNowMs()) return null;
  return (
    <span className="withdraw-waits">
      <Icon name="clock" size={14} /> {t('withdrawal.usable_from', { time: moment(payee.usableFrom) })}
    </span>
  );
}
