import type { SupportThread } from '@sathorn/api';
import { Tag } from '../../parts/parts.tsx';
import { useTexts } from '../../parts/texts/index.ts';

/** A customer by name. A visitor is never shown by a name or a contact, which could be mistaken for a customer’s. */
export function Who({
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
