import type { SupportThread } from '@sathorn/api';
import { Tag } from '../../parts/parts.tsx';
import { useTexts } from '../../parts/texts/index.ts';

/** Shows a customer by name. A visitor's name or contact is hidden, because it could look like a customer's. */
export function ThreadPerson({
  of: { customer, visitor },
  isShort = false,
}: {
  of: Pick<SupportThread, 'customer' | 'visitor'>;
  isShort?: boolean;
}) {
  const { t } = useTexts();
  return (
    <span className="row support-who">
      <b>
        <bdi>{customer?.username ?? visitor?.reference}</bdi>
      </b>
      {visitor && <Tag look="warn">{t(isShort ? 'support.visitor_short' : 'support.visitor')}</Tag>}
    </span>
  );
}
