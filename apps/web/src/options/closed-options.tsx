import { EmptyState, useText } from '@sathorn/ui';

/** Replaces the ticket: explains why nothing can be bought, and links to earlier orders. */
export default function ClosedOptions() {
  const { t } = useText();
  return (
    <EmptyState picture="lock" title={t('option.closed')}>
      {t('option.closed_no_licence')}
    </EmptyState>
  );
}
