import { EmptyState, useText } from '@sathorn/ui';

/** Shown in place of the ticket: why nothing can be bought, and that earlier orders are still there. */
export default function ClosedOptions() {
  const { t } = useText();
  return (
    <EmptyState icon="lock" title={t('option.closed')}>
      {t('option.closed_no_licence')}
    </EmptyState>
  );
}
