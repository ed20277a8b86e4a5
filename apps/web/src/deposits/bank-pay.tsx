import { PayPage } from './pay-page.tsx';

/** `#/pages/Recharge/bankpay`: the bank account to pay to, with the reference to enter. */
export default function BankPay() {
  return <PayPage kind="bank" />;
}
