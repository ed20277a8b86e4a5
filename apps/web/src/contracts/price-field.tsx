import { AmountInput, FieldFrame, useText, useTypedAmount } from '@sathorn/ui';
import type { KeyboardEvent } from 'react';
import { decimalsOf } from './contract-math.ts';
import { stepPrice } from './step-price.ts';
import './price-field.css';

interface PriceFieldProps {
  tick: string;
  /** Canonical price, or '' for none. */
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

/** The price of a limit order, with buttons to lower and to raise it. */
export function PriceField({ tick, value, onChange, error }: PriceFieldProps) {
  const { t } = useText<'contracts'>();
  const typed = useTypedAmount(value, decimalsOf(tick), onChange);

  const step = (direction: 1 | -1) => {
    const next = stepPrice(value, tick, direction);
    if (next !== undefined) typed.put(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    step(event.key === 'ArrowUp' ? 1 : -1);
  };
  const fault =
    typed.fault === undefined
      ? error
      : typed.fault === 'too_fine'
        ? t('contracts.fault.price_off_tick', { step: tick })
        : t(`amount.${typed.fault}`);

  return (
    <FieldFrame label={t('contracts.price')} error={fault}>
      {(ties) => (
        <div className="ui-field-well price-field" dir="ltr">
          <button type="button" aria-label={t('contracts.price_down')} onClick={() => step(-1)}>
            −
          </button>
          <AmountInput {...ties} name="price" typed={typed} onType={typed.take} onKeyDown={onKeyDown} />
          <button type="button" aria-label={t('contracts.price_up')} onClick={() => step(1)}>
            +
          </button>
        </div>
      )}
    </FieldFrame>
  );
}
