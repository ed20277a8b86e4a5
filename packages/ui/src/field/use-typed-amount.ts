import { formatDecimalText } from '@sathorn/text';
import { useState } from 'react';
import { useText } from '../texts.tsx';
import { type AmountFault, afterDeleting, readAmount } from './amount-text.ts';

export interface TypedAmount {
  /**
   * The typed text. It gets no separators when the field loses the focus, because removing them on return would lose
   * the selection, and new digits would be appended.
   */
  text: string;
  /** The figure in the usual format, when that differs from the typed text. */
  figure: string | undefined;
  fault: AmountFault | undefined;
  /** For input from the field itself. */
  take: (after: string) => void;
  /** For values from a button beside the field, canonical. */
  put: (value: string) => void;
}

/** The state of an amount field: the value is canonical or '', and a faulty text stays visible with its fault. */
export function useTypedAmount(value: string, scale: number, onChange: (value: string) => void): TypedAmount {
  const { presentation } = useText();
  const [typed, setTyped] = useState(value);
  const read = readAmount(typed, scale);
  // A value from elsewhere replaces the typed text, so that the form never sends what the field does not show.
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
