import { FieldFrame, readAmount } from '@sathorn/ui';
import { type KeyboardEvent, useState } from 'react';
import { decimalsOf } from './contract-math.ts';
import { useContractText } from './contract-texts.tsx';
import { stepPrice } from './step-price.ts';
import './price-field.css';

interface PriceFieldProps {
  tick: string;
  /** Canonical price, or '' for none. */
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

/** The price of a limit order, between a button that lowers and one that raises it. */
export function PriceField({ tick, value, onChange, error }: PriceFieldProps) {
  const { t } = useContractText();
  const [typed, setTyped] = useState(value);
  const decimals = decimalsOf(tick);
  const read = readAmount(typed, decimals);
  // A price that came from the book or from a button replaces what was typed.
  const shown = read.fault === undefined && (read.value ?? '') !== value ? value : read.text;

  const take = (text: string) => {
    const next = readAmount(text, decimals);
    // A letter does nothing; anything else stays visible with its fault named.
    if (next.fault === 'malformed') return;
    setTyped(next.text);
    onChange(next.value ?? '');
  };
  const step = (direction: 1 | -1) => {
    const next = stepPrice(value, tick, direction);
    if (next !== undefined) take(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    step(event.key === 'ArrowUp' ? 1 : -1);
  };
  const fault =
    read.fault === undefined
      ? error
      : read.fault === 'too_fine'
        ? t('contracts.fault.price_off_tick', { step: tick })
        : t(`amount.${read.fault}`);

  return (
    <FieldFrame label={t('contracts.price')} error={fault}>
      {(ties) => (
        <div className="ui-field-well price-field" dir="ltr">
          <button type="button" aria-label={t('contracts.price_down')} onClick={() => step(-1)}>
            −
          </button>
          <input
            {...ties}
            className="num"
            name="price"
            type="text"
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="done"
            placeholder="0"
            value={shown}
            onChange={(event) => take(event.target.value)}
            onKeyDown={onKeyDown}
          />
          <button type="button" aria-label={t('contracts.price_up')} onClick={() => step(1)}>
            +
          </button>
        </div>
      )}
    </FieldFrame>
  );
}
