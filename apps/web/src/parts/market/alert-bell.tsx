import { useNavigation } from '@sathorn/app/navigation';
import { IconButton, useText } from '@sathorn/ui';

/** Leads to the price alerts of a coin. */
export function AlertBell({ code }: { code: string }) {
  const { t } = useText();
  const { navigate } = useNavigation();
  return (
    <IconButton icon="bell" label={t('screen.alerts')} onClick={() => navigate('/pages/coinList/alerts', { code })} />
  );
}
