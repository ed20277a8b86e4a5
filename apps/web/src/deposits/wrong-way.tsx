import { useNavigation } from '@sathorn/app/navigation';
import { Button, useText } from '@sathorn/ui';
import { MoneyNote } from '../parts/money/note.tsx';

/** What becomes of another token and of a transfer on another network, and whom to ask. */
export function WrongWay({ chain }: { chain: string }) {
  const { t } = useText<'money'>();
  const { navigate } = useNavigation();
  return (
    <MoneyNote icon="info" title={t('deposit.wrong.title')}>
      <div className="deposit-wrong">
        <p>{t('deposit.wrong.token', { chain })}</p>
        <p>{t('deposit.wrong.network', { chain })}</p>
        <Button look="soft" size="small" icon="mail" onClick={() => navigate('/pages/service/index')}>
          {t('deposit.wrong.ask')}
        </Button>
      </div>
    </MoneyNote>
  );
}
