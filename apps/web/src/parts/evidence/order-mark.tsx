import { listOrderMarks } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { useSession } from '@sathorn/app/session';
import { Button, Icon } from '@sathorn/ui';
import { useQuery } from '@tanstack/react-query';
import { useReceiptText } from '../receipt/use-receipt-text.ts';
import { signerOf } from './check-orders.ts';
import { canKeepKeys } from './device-key.ts';
import { useDeviceKey } from './use-device-key.ts';
import './kept-line.css';

/** Says which device signed a record, as verified here. Offers to let this one sign if it doesn't yet. */
export default function OrderMark({ id, among }: { id: string; among: readonly string[] }) {
  const customer = useSession(({ user }) => user?.id);
  const { data } = useRead(listOrderMarks, { ids: among.join(',') });
  const signed = data?.items.find((item) => item.id === id)?.signed ?? null;
  const { data: by = null } = useQuery({
    queryKey: ['order-mark', customer, id, signed],
    enabled: customer !== undefined && data !== undefined,
    queryFn: () => signerOf(customer ?? '', id, signed),
  });
  const { navigate } = useNavigation();
  const own = useDeviceKey();
  const { t } = useReceiptText(by !== null);
  if (!t || by === null) return null;
  const isSigning = Boolean(own.data?.since);
  const offersKey = by === 'none' && among.length === 1 && own.isFetched && !isSigning && canKeepKeys();
  return (
    <>
      <p className="cap kept-line" data-doubt={by === 'none' || undefined}>
        <Icon name="key" size={16} />
        {t(`verify.ordered.${by}`)}
      </p>
      {offersKey && (
        <Button size="small" look="plain" onClick={() => navigate('/pages/mine/setting/sessions')}>
          {t('verify.devices.add')}
        </Button>
      )}
    </>
  );
}
