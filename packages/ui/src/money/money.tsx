import { formatAsset, formatDecimalText, formatMoney, type NumberStyle } from '@sathorn/text';
import type { CSSProperties, ReactNode } from 'react';
import { useText } from '../texts.tsx';
import './money.css';

interface MoneyProps {
  /** Decimal string of the wire. */
  amount: string;
  /** An asset's code, placed after the number. */
  asset?: string;
  /** A currency's sign, placed by the brand's rule: before the number, but after it for the dong. */
  unit?: string;
  /** Two decimals by default; further digits are cut off. */
  decimals?: number;
  /** Shows every decimal, for receipts. */
  exact?: boolean;
  /** Shows a plus sign on gains. */
  signed?: boolean;
  /** Colours a gain as success and a loss as danger, independent of the market's colours. The sign shows it too. */
  toned?: boolean;
  /** The customer has hidden balances. */
  hidden?: boolean;
  /** A large figure on its own line, which shrinks if it is too long. */
  fitted?: boolean;
}

/** Replaces amounts, also inside sentences, while the customer hides balances. */
export const HIDDEN_AMOUNT = '••••••';

export function Money({
  amount,
  asset,
  unit,
  decimals = 2,
  exact = false,
  signed = false,
  toned = false,
  hidden = false,
  fitted = false,
}: MoneyProps) {
  const { t, presentation } = useText();
  if (hidden) {
    return (
      <span className="ui-money">
        <span aria-hidden="true">{HIDDEN_AMOUNT}</span>
        <span className="unseen">{t('money.hidden')}</span>
      </span>
    );
  }
  const style: NumberStyle = exact
    ? { minDecimals: decimals, signed }
    : { minDecimals: decimals, maxDecimals: decimals, signed };
  const plain = exact ? amount.replace(/(\.[0-9]*?)0+$/, '$1').replace(/\.$/, '') : amount;
  const shown = asset
    ? formatAsset(plain, asset, presentation, style)
    : unit
      ? formatMoney(plain, unit, presentation, style)
      : formatDecimalText(plain, presentation, style);
  const tone = !toned || !/[1-9]/.test(amount) ? undefined : amount.startsWith('-') ? 'loss' : 'gain';
  const money = (
    <bdi className="ui-money num" dir="ltr" data-tone={tone}>
      {shown}
    </bdi>
  );
  return fitted ? <FittedText length={shown.length}>{money}</FittedText> : money;
}

/** A full-width line whose text shrinks so that `length` characters fit. */
export function FittedText({ length, children }: { length: number; children: ReactNode }) {
  return (
    <span className="ui-fitted">
      <span style={{ '--length': length } as CSSProperties}>{children}</span>
    </span>
  );
}

/** A coin's price with the decimals that the server sent. */
export function PriceText({ price }: { price: string | null }) {
  const { presentation } = useText();
  return (
    <bdi className="ui-money num" dir="ltr">
      {price === null ? '–' : formatDecimalText(price, presentation, { minDecimals: price.split('.')[1]?.length ?? 0 })}
    </bdi>
  );
}
