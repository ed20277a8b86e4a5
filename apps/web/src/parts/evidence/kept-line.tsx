import type { AcknowledgedThing } from '@sathorn/api';
import { useSession } from '@sathorn/app/session';
import { Icon } from '@sathorn/ui';
import { useQuery } from '@tanstack/react-query';
import { useReceiptText } from '../receipt/use-receipt-text.ts';
import { useFindings } from './evidence-findings.ts';
import { keyOf, readKeptAcknowledgements } from './kept-acknowledgements.ts';
import './kept-line.css';

/** Says that this device has kept what the platform signed about a thing. Nothing if it hasn't, or if it differs. */
export default function KeptLine({ about, id }: Pick<AcknowledgedThing, 'about' | 'id'>) {
  const customer = useSession(({ user }) => user?.id);
  const key = keyOf({ about, id });
  const { data: isKept = false } = useQuery({
    queryKey: ['kept-acknowledgement', customer, key],
    enabled: customer !== undefined,
    // The answer that this page shows is kept a moment after it has arrived.
    refetchInterval: (query) => (query.state.data === true ? false : 1_000),
    queryFn: async () => customer !== undefined && (await readKeptAcknowledgements(customer))[key] !== undefined,
  });
  const hasDiffered = useFindings(({ all }) => all.some((finding) => finding.kind === 'ack' && finding.id === key));
  const { t } = useReceiptText(isKept && !hasDiffered);
  if (!t || !isKept || hasDiffered) return null;
  return (
    <p className="cap kept-line">
      <Icon name="shield" size={16} />
      {t('verify.ack.line')}
    </p>
  );
}
