import { listOrderMarks } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { useSession } from '@sathorn/app/session';
import { Button, Icon } from '@sathorn/ui';
import { useQuery } from '@tanstack/react-query';
import { useReceiptText } from '../receipt/use-receipt-text.ts';
import { keyNameOf, signerOf } from './check-orders.ts';
import { canKeepKeys } from './device-key.ts';
import { useDeviceKey } from './use-device-key.ts';
import './kept-line.css';

/** Says which device signed a record, as verified here. Offers to let this one sign if it doesn't yet. */
export default function OrderMark({ id, among }: { id: string; among: readonly string[] }) {
  const customer = useSession(({ user }) => user?.id);
  const { data } = useRead(listOrderMarks, { ids: among.join(',') });
  const { signed = null, keyed = null } = data?.items.find((item) => item.id === id) ?? {};
  const { data: mark } = useQuery({
    queryKey: ['order-mark', customer, id, signed, keyed],
    enabled: customer !== undefined && data !== undefined,
    queryFn: async () => ({
      by: await signerOf(customer ?? '', id, signed),
      key: keyed === null ? null : await keyNameOf(keyed),
    }),
  });
  const { by = null, key = null } = mark ?? {};
  const { navigate } = useNavigation();
  const own = useDeviceKey();
  const { t } = useReceiptText(by !== null);
  if (!t || by === null) return null;
  const isByKey = by === 'none' && key !== null;
  const isInDoubt = by === 'none' && !isByKey;
  const isSigning = Boolean(own.data?.since);
  const offersKey = isInDoubt && among.length === 1 && own.isFetched && !isSigning && canKeepKeys();
  return (
    <>
      <p className="cap kept-line" data-doubt={isInDoubt || undefined}>
        <Icon name="key" size={16} />
        {isByKey ? t('verify.ordered.api_key', { name: key }) : t(`verify.ordered.${by}`)}
      </p>
      {offersKey && (
        <Button size="small" look="plain" onClick={() => navigate('/pages/mine/setting/sessions')}>
          {t('verify.devices.add')}
        </Button>
      )}
    </>
  );
}
