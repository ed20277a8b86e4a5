import { RecordPage } from '../parts/money/record-page.tsx';

/** `#/pages/Recharge/record` */
export default function DepositRecords() {
  return <RecordPage setup="recharge" path="/pages/Recharge/record" start="/pages/Recharge/Recharge" />;
}
