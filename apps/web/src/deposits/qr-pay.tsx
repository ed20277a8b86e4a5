import { PayPage } from './pay-page.tsx';

/** `#/pages/Recharge/qrpay`: a PromptPay QR that contains the amount and the reference. */
export default function QrPay() {
  return <PayPage kind="promptpay" />;
}
