import { RecordPage } from '../parts/money/record-page.tsx';

/** `#/pages/Withdraw/record`: the list of withdrawals. */
export default function WithdrawalRecords() {
  return <RecordPage setup="withdraw" path="/pages/Withdraw/record" start="/pages/Withdraw/Withdraw" />;
}
