import { AmountField, useText } from '@sathorn/ui';
import type { ComponentProps } from 'react';

interface EarningAmountProps
  extends Pick<ComponentProps<typeof AmountField>, 'value' | 'onChange' | 'available' | 'max' | 'hint' | 'error'> {
  /** The available amount, in words. */
  from: string | undefined;
}

/** The amount in USDT of a lock-up, a subscription or a redemption. */
export function EarningAmount({ from, ...field }: EarningAmountProps) {
  const { t } = useText<'earning'>();
  const texts = useText();
  return (
    <>
      <p className="row num earning-label">
        <span />
        {from !== undefined && <span className="muted">{from}</span>}
      </p>
      <AmountField
        label={t('earning.amount')}
        unit="USDT"
        scale={6}
        name="amount"
        faultText={(fault) => texts.t(`amount.${fault}`)}
        {...field}
      />
    </>
  );
}
