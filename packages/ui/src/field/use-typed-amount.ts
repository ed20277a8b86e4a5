import { formatDecimalText } from '@sathorn/text';
import { useState } from 'react';
import { useText } from '../texts.tsx';
import { type AmountFault, amountAfterDeleting, parseTypedAmount } from './amount-text.ts';

export interface TypedAmount {
  /**
   * The typed text. The field adds no separators when it loses the focus: removing them on return would lose the
   * selection, and new digits would be appended.
   */
  text: string;
  /** The amount in the usual format, if that differs from the typed text. */
  figure: string | undefined;
  fault: AmountFault | undefined;
  /** Takes input from the field. */
  take: (after: string) => void;
  /** Sets a canonical value from a button beside the field. */
  put: (value: string) => void;
}

/** An amount field's state: the value is canonical or '', and an invalid text stays visible with its fault. */
export function useTypedAmount(value: string, scale: number, onChange: (value: string) => void): TypedAmount {
  const { presentation } = useText();
  const [typed, setTyped] = useState(value);
  const read = parseTypedAmount(typed, scale);
  // A value set from outside replaces the typed text, so that the form never sends a value that the field does not
  // show.
  const isTyped = (read.value ?? '') === value;
  const text = isTyped ? read.text : value;
  const minDecimals = value.split('.')[1]?.length ?? 0;
  const figure = value === '' ? text : formatDecimalText(value, presentation, { minDecimals });

  return {
    text,
    figure: figure === text ? undefined : figure,
    fault: isTyped ? read.fault : undefined,
    take: (after) => {
      const next = parseTypedAmount(amountAfterDeleting(text, after), scale);
      setTyped(next.text);
      onChange(next.value ?? '');
    },
    put: (next) => {
      setTyped(next);
      onChange(next);
    },
  };
}
