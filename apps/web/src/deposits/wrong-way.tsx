import { useNavigation } from '@sathorn/app/navigation';
import { Button, useText } from '@sathorn/ui';
import { MoneyNote } from '../parts/money/note.tsx';
import { NetworkTexts } from './network-texts.tsx';

/** Explains what happens to another token and to a transfer on another network, and whom to ask. */
export default function WrongWay({ chain }: { chain: string }) {
  return (
    <NetworkTexts>
      <Note chain={chain} />
    </NetworkTexts>
  );
}

function Note({ chain }: { chain: string }) {
  const { t } = useText<'networks'>();
  const { navigate } = useNavigation();
  return (
    <MoneyNote icon="info" title={t('networks.wrong.title')}>
      <div className="deposit-wrong">
        <p>{t('networks.wrong.token', { chain })}</p>
        <p>{t('networks.wrong.network', { chain })}</p>
        <Button look="soft" size="small" icon="mail" onClick={() => navigate('/pages/service/index')}>
          {t('networks.wrong.ask')}
        </Button>
      </div>
    </MoneyNote>
  );
}
