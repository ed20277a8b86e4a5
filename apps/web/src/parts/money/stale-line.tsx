import { useIsOnline, useStreamState } from '@sathorn/app/stream';
import { StaleMark, useText } from '@sathorn/ui';

/** Shows that the data may be outdated, while the stream is down. */
export function StaleLine() {
  const { t } = useText<'money'>();
  const state = useStreamState();
  const isOnline = useIsOnline();
  if (state === 'open' && isOnline) return null;
  return (
    <p className="money-stale" role="status">
      <StaleMark>{t('money.stale')}</StaleMark>
    </p>
  );
}
