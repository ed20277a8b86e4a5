import { formatMoney, type Money } from '@sathorn/money';
import { formatDecimalText } from '@sathorn/text';

/** An amount in the form that the rules use in every language, such as `30,000,000 USDT`. */
export const amountText = (amount: Money): string =>
  `${formatDecimalText(formatMoney(amount), { language: 'en' })} ${amount.asset}`;
