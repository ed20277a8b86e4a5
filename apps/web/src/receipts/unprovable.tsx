import { Card, CardHead } from '@sathorn/ui';
import { useReceiptText } from '../parts/receipt/use-receipt-text.ts';

const LIMITS = ['sources', 'bank', 'before', 'refused', 'nothing_kept'] as const;

/** What no check of this app can show, so that nobody takes "verified" for more than it is. */
export default function Unprovable() {
  const { t } = useReceiptText(true);
  if (!t) return null;
  return (
    <Card>
      <CardHead title={t('verify.limits.title')} />
      <ul className="muted verify-limits">
        {LIMITS.map((limit) => (
          <li key={limit}>{t(`verify.limits.${limit}`)}</li>
        ))}
      </ul>
    </Card>
  );
}
