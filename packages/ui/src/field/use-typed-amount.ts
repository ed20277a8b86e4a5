import { useState } from 'react';
import { type AmountFault, afterDeleting, isStrayKey, readAmount } from './amount-text.ts';

interface TypedAmount {
  /** What the field shows. Not regrouped when it is left: on entering, that would undo the selection, and digits would be added. */
  text: string;
  fault: AmountFault | undefined;
  /** Of the field's own input. */
  take: (after: string) => void;
  /** What came from a button beside the field, canonical. */
  put: (value: string) => void;
}

/** Text that is typed as an amount: the value is canonical or '', and what is faulty stays visible with its fault named. */
export function useTypedAmount(value: string, scale: number, onChange: (value: string) => void): TypedAmount {
  const [typed, setTyped] = useState(value);
  const read = readAmount(typed, scale);
  // A value that came from elsewhere replaces what was typed, faulty or not: nobody sends what the field does not show.
  const isTyped = (read.value ?? '') === value;
  const text = isTyped ? read.text : value;

  return {
    text,
    fault: isTyped ? read.fault : undefined,
    take: (after) => {
      if (isStrayKey(text, after)) return;
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
