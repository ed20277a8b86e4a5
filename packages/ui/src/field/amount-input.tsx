import { toOwnDigits } from '@sathorn/text';
import type { ComponentProps } from 'react';
import { useText } from '../texts.tsx';
import type { TypedAmount } from './use-typed-amount.ts';
import './amount-input.css';

interface AmountInputProps
  extends Pick<ComponentProps<'input'>, 'id' | 'aria-describedby' | 'aria-invalid' | 'onKeyDown'> {
  typed: Pick<TypedAmount, 'text' | 'figure'>;
  name: string | undefined;
  onType: (after: string) => void;
}

/**
 * An input for amounts. Without focus it shows the figure with thousands separators over the input. It never changes
 * the typed text.
 */
export function AmountInput({ typed: { text, figure }, onType, ...rest }: AmountInputProps) {
  const { presentation } = useText();
  return (
    <span className="ui-amount-input num">
      <input
        {...rest}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        enterKeyHint="done"
        dir="ltr"
        placeholder={toOwnDigits('0', presentation)}
        value={text}
        data-covered={figure === undefined ? undefined : ''}
        onChange={(event) => onType(event.target.value)}
      />
      {figure !== undefined && (
        <bdi dir="ltr" aria-hidden="true">
          {figure}
        </bdi>
      )}
    </span>
  );
}
