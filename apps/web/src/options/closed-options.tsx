import { EmptyState, useText } from '@sathorn/ui';

/** Shown in place of the ticket: explains why customers can't buy now, and links to earlier orders. */
export default function ClosedOptions() {
  const { t } = useText();
  return (
    <EmptyState picture="lock" title={t('option.closed')}>
      {t('option.closed_no_licence')}
    </EmptyState>
  );
}
