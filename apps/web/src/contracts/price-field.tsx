import { AmountInput, FieldFrame, useText, useTypedAmount } from '@sathorn/ui';
import { type KeyboardEvent, useRef } from 'react';
import { decimalsOf } from './contract-math.ts';
import { stepPrice } from './step-price.ts';
import { usePressAndHold } from './use-press-and-hold.ts';
import './price-field.css';

/** After this many single steps, the price moves in round numbers. */
const SINGLE_STEPS = 8;

interface PriceFieldProps {
  tick: string;
  /** Canonical price, or '' for none. */
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

/** A limit order's price with buttons to lower and raise it. Holding a button or an arrow key repeats. */
export function PriceField({ tick, value, onChange, error }: PriceFieldProps) {
  const { t } = useText<'contracts'>();
  const typed = useTypedAmount(value, decimalsOf(tick), onChange);

  const step = (direction: 1 | -1, repeats: number) => {
    const next = stepPrice(value, tick, direction, repeats > SINGLE_STEPS);
    if (next !== undefined) typed.put(next);
  };
  const lower = usePressAndHold((repeats) => step(-1, repeats));
  const raise = usePressAndHold((repeats) => step(1, repeats));
  const keyRepeats = useRef(0);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    keyRepeats.current = event.repeat ? keyRepeats.current + 1 : 0;
    step(event.key === 'ArrowUp' ? 1 : -1, keyRepeats.current);
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
          <button type="button" aria-label={t('contracts.price_down')} {...lower}>
            −
          </button>
          <AmountInput {...ties} name="price" typed={typed} onType={typed.take} onKeyDown={onKeyDown} />
          <button type="button" aria-label={t('contracts.price_up')} {...raise}>
            +
          </button>
        </div>
      )}
    </FieldFrame>
  );
}
