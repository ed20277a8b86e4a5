import { addRenewal, type LockupOrder, listEarningProducts } from '@sathorn/api';
import { failureText, useCall, useRead } from '@sathorn/app/client';
import { intentKeyOf } from '@sathorn/app/session';
import { showToast } from '@sathorn/app/shell';
import { formatPercent } from '@sathorn/text';
import { AmountField, Button, Icon, type IconName, Money, Sheet, Skeleton, useText } from '@sathorn/ui';
import { type ReactNode, useState } from 'react';
import { dayText } from './figures.ts';
import { percentTextOf, rateOfPercent } from './standing-figures.ts';

interface RenewalSheetProps {
  open: boolean;
  order: LockupOrder;
  onClose: () => void;
  onDone: () => void;
}

/** Says what a renewal does and at which lowest rate, and orders it. */
export function RenewalSheet({ open, order, onClose, onDone }: RenewalSheetProps) {
  const { t } = useText<'standing'>();
  const list = useRead(listEarningProducts, { type: 'regular' }, { enabled: open });
  const products = list.data?.type === 'regular' ? list.data.products : undefined;
  // A product without terms today may have some at the end.
  const today = products?.find(({ id }) => id === order.product)?.daily_rate ?? order.daily_rate;
  return (
    <Sheet open={open} onClose={onClose} title={t('standing.renew')}>
      {open &&
        (products || list.error ? (
          <Form order={order} today={today} onClose={onClose} onDone={onDone} />
        ) : (
          <Skeleton height={320} />
        ))}
    </Sheet>
  );
}

function Point({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <li>
      <Icon name={icon} size={20} />
      <span>{children}</span>
    </li>
  );
}

function Form({ order, today, onClose, onDone }: Omit<RenewalSheetProps, 'open'> & { today: string }) {
  const texts = useText();
  const { t, presentation } = useText<'standing'>();
  const [percent, setPercent] = useState(percentTextOf(today));
  const [error, setError] = useState<string>();
  const add = useCall(addRenewal, { quiet: true, withoutOverlay: true, intent: intentKeyOf(`renew ${order.id}`) });
  const rate = rateOfPercent(percent);
  const send = async () => {
    if (rate === null) return;
    const answer = await add.submit({ id: order.id, rate_min: rate });
    onDone();
    if (answer.ok) {
      showToast(t('standing.renew_started'), 'success');
      onClose();
    } else if (answer.fields.rate_min !== undefined) setError(answer.fields.rate_min);
    else if (answer.code !== 'session_required') showToast(failureText(answer, texts), 'danger');
  };
  return (
    <div className="stack" data-form="">
      <p className="standing-amount">
        <Money amount={order.amount} asset="USDT" exact />
      </p>
      <ul className="standing-points">
        <Point icon="lock">
          {t('standing.renew_lead', { day: dayText(order.end_date, 'date', presentation), days: order.days })}
        </Point>
        <Point icon="wallet">{t('standing.renew_income')}</Point>
        <Point icon="info">{t('standing.renew_else')}</Point>
        <Point icon="ban">{t('standing.renew_stop')}</Point>
      </ul>
      <AmountField
        label={t('standing.rate_min')}
        name="rate_min"
        unit="%"
        scale={6}
        value={percent}
        onChange={(value) => {
          setPercent(value);
          setError(undefined);
        }}
        faultText={(fault) => t(`amount.${fault}`)}
        error={error ?? (rate === null ? t('standing.rate_wrong') : undefined)}
        hint={t('standing.rate_min_hint', { rate: formatPercent(today, presentation, { minDecimals: 3 }) })}
      />
      <Button busy={add.isBusy} disabled={rate === null} onClick={() => void send()}>
        {t('standing.renew_start')}
      </Button>
    </div>
  );
}
