import { assetName, formatDecimalText, formatPercent } from '@sathorn/text';
import { type ReactNode, useState } from 'react';
import { useText } from '../texts.tsx';
import { AmountInput } from './amount-input.tsx';
import { type AmountFault, shareOfAmount } from './amount-text.ts';
import { FieldFrame } from './field.tsx';
import { useTypedAmount } from './use-typed-amount.ts';
import './amount-field.css';

/** A percentage of the available balance, and the same as a fraction. */
const SHARES = [
  [25, '0.25'],
  [50, '0.5'],
  [75, '0.75'],
  [100, '1'],
] as const;

interface AmountFieldProps {
  label: string;
  labelUnseen?: boolean;
  unit: string;
  /** The asset's number of decimals. */
  scale: number;
  /** Canonical amount, or '' if empty. */
  value: string;
  onChange: (value: string) => void;
  faultText: (fault: AmountFault) => string;
  /** The chips take a percentage of this amount; without it there are no chips. */
  available?: string | undefined;
  /** The chips never exceed this. */
  max?: string | undefined;
  /** Amounts to choose from, in place of percentages. One that is not allowed can't be chosen. */
  presets?: AmountPresets;
  /** Shown within the field, before the amount. */
  lead?: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  name?: string;
}

interface AmountPresets {
  readonly amounts: readonly string[];
  /** The largest amount that is allowed now; undefined until it is known. */
  readonly most: string | undefined;
  readonly mostLabel: string;
  readonly isAllowed: (amount: string) => boolean;
}

function isMore(a: string, b: string, scale: number): boolean {
  const unitsOf = (text: string) => {
    const [whole = '0', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
  };
  return unitsOf(a) > unitsOf(b);
}

/** Uses exact strings: typed text is converted to the wire format and never to a number. */
export function AmountField({
  label,
  labelUnseen = false,
  unit,
  scale,
  value,
  onChange,
  faultText,
  available,
  max,
  presets,
  lead,
  hint,
  error,
  name,
}: AmountFieldProps) {
  const typed = useTypedAmount(value, scale, onChange);
  const { presentation } = useText();
  const [chosen, setChosen] = useState<number>();

  const takeShare = (percent: number) => {
    if (available === undefined) return;
    const share = shareOfAmount(available, percent, scale);
    const most = max !== undefined && isMore(share, max, scale) ? shareOfAmount(max, 100, scale) : share;
    setChosen(percent);
    typed.put(most);
  };

  const preset = (amount: string | undefined, label: string) => (
    <button
      key={label}
      type="button"
      aria-pressed={amount === value}
      disabled={amount === undefined || presets?.isAllowed(amount) === false}
      onClick={() => amount !== undefined && typed.put(amount)}
    >
      {label}
    </button>
  );

  return (
    <div className="ui-amount">
      <FieldFrame
        label={label}
        labelUnseen={labelUnseen}
        hint={hint}
        error={typed.fault ? faultText(typed.fault) : error}
      >
        {(ties) => (
          <>
            <div className="ui-field-well">
              {lead}
              <AmountInput
                {...ties}
                name={name}
                typed={typed}
                onType={(after) => {
                  setChosen(undefined);
                  typed.take(after);
                }}
              />
              <span className="ui-field-unit">{assetName(unit, presentation)}</span>
            </div>
            {presets && (
              <div className="ui-amount-presets num">
                {presets.amounts.map((amount) => preset(amount, formatDecimalText(amount, presentation)))}
                {preset(presets.most, presets.mostLabel)}
              </div>
            )}
          </>
        )}
      </FieldFrame>
      {available !== undefined && (
        <div className="ui-amount-shares num">
          {SHARES.map(([percent, share]) => (
            <button key={percent} type="button" aria-pressed={chosen === percent} onClick={() => takeShare(percent)}>
              {formatPercent(share, presentation)}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
