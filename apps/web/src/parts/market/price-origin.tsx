import { useArePricesSilent } from '@sathorn/app/stream';
import { Badge, StaleMark, useText } from '@sathorn/ui';

/** Shows whether a list of prices is live, simulated, recorded or stale. */
export function PriceOrigin({ origin }: { origin: 'live' | 'sim' | 'replay' | undefined }) {
  const { t } = useText();
  const isSilent = useArePricesSilent();
  if (isSilent) return <StaleMark>{t('price.reconnecting')}</StaleMark>;
  if (origin === undefined) return null;
  if (origin === 'live') return <span className="cap">{t('price.live')}</span>;
  return <Badge tone="warn">{t(origin === 'sim' ? 'price.simulated' : 'price.recorded')}</Badge>;
}
