import { formatCount, formatDate } from '@sathorn/text';
import { Icon, useText } from '@sathorn/ui';
import { useQuery } from '@tanstack/react-query';
import { useReceiptText } from '../receipt/use-receipt-text.ts';
import { checkOwnLiability } from './own-liability.ts';
import './kept-line.css';

/** Says that the customer's balances are in the signed sum of what the platform owes. Nothing while that is unknown. */
export default function OwedLine() {
  const { presentation } = useText();
  const { data: holds = null } = useQuery({
    queryKey: ['own-liability'],
    queryFn: checkOwnLiability,
    staleTime: 60_000,
    retry: false,
  });
  const { t } = useReceiptText(holds !== null);
  if (!t || holds === null) return null;
  return (
    <p className="cap kept-line">
      <Icon name="shield" size={16} />
      {t('verify.owed.line', {
        time: formatDate(holds.atMs, 'dateTime', presentation),
        customers: formatCount(holds.customers, presentation),
      })}
    </p>
  );
}
