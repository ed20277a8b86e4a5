import { PayPage } from './pay-page.tsx';

/** `#/pages/Recharge/qrpay`: a PromptPay QR with amount and reference in it. */
export default function QrPay() {
  return <PayPage kind="promptpay" />;
}
