import { EmptyState, useText } from '@sathorn/ui';
import { useSystemConfig } from '../../shell/config.ts';

/** Whether the operator may sell options here; until the server has said so, nothing is claimed. */
export function useAreOptionsClosed(): boolean {
  const state = useSystemConfig()?.products.options;
  return state !== undefined && state !== 'open';
}

/** In place of what sells: why there is nothing to buy, and that what was bought is still there. */
export function ClosedOptions() {
  const { t } = useText();
  return (
    <EmptyState icon="lock" title={t('option.closed')}>
      {t('option.closed_no_licence')}
    </EmptyState>
  );
}
