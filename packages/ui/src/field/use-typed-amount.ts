import { formatDecimalText } from '@sathorn/text';
import { useState } from 'react';
import { useText } from '../texts.tsx';
import { type AmountFault, afterDeleting, readAmount } from './amount-text.ts';

export interface TypedAmount {
  /**
   * The typed text. It is not regrouped when the field is left: regrouped on return, it would lose the selection, and
   * new digits would be appended.
   */
  text: string;
  /** The figure as figures are written everywhere, where that is not what was typed. */
  figure: string | undefined;
  fault: AmountFault | undefined;
  /** For input from the field itself. */
  take: (after: string) => void;
  /** For values from a button beside the field, canonical. */
  put: (value: string) => void;
}

/**
 * Text that is typed as an amount: the value is canonical or '', and what is faulty stays visible with its fault named.
 */
export function useTypedAmount(value: string, scale: number, onChange: (value: string) => void): TypedAmount {
  const { presentation } = useText();
  const [typed, setTyped] = useState(value);
  const read = readAmount(typed, scale);
  // A value that came from elsewhere replaces what was typed, faulty or not: nobody sends what the field does not show.
  const isTyped = (read.value ?? '') === value;
  const text = isTyped ? read.text : value;
  const minDecimals = value.split('.')[1]?.length ?? 0;
  const figure = value === '' ? text : formatDecimalText(value, presentation, { minDecimals });

  return {
    text,
    figure: figure === text ? undefined : figure,
    fault: isTyped ? read.fault : undefined,
    take: (after) => {
      const next = readAmount(afterDeleting(text, after), scale);
      setTyped(next.text);
      onChange(next.value ?? '');
    },
    put: (next) => {
      setTyped(next);
      onChange(next);
    },
  };
}
