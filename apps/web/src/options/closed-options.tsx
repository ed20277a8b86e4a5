import { EmptyState, useText } from '@sathorn/ui';

/** In place of what sells: why there is nothing to buy, and that what was bought is still there. */
export default function ClosedOptions() {
  const { t } = useText();
  return (
    <EmptyState icon="lock" title={t('option.closed')}>
      {t('option.closed_no_licence')}
    </EmptyState>
  );
}
