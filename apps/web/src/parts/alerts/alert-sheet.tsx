import { useNavigation } from '@sathorn/app/navigation';
import { NavLink, Sheet, useText } from '@sathorn/ui';
import { useCoins } from '../market/tickers.ts';
import { NotLoaded } from '../read/not-loaded.tsx';
import { AlertForm } from './alert-form.tsx';
import { AlertList } from './alert-list.tsx';
import { SafeguardArea } from './safeguard-area.tsx';

export interface AlertSheetProps {
  readonly code: string;
  /** The initial price of the form. */
  readonly price?: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Price alerts of a coin, over the page that shows it. */
export default function AlertSheet({ code, price, open, onClose }: AlertSheetProps) {
  const { t } = useText();
  return (
    <Sheet open={open} onClose={onClose} title={t('screen.alerts')}>
      <SafeguardArea>
        <Body code={code} price={price} />
      </SafeguardArea>
    </Sheet>
  );
}

function Body({ code, price }: { code: string; price: string | undefined }) {
  const { t } = useText<'safeguards'>();
  const { navigate } = useNavigation();
  const coins = useCoins();
  const coin = coins.data?.find((one) => one.code === code);
  if (coins.data && coin)
    return (
      <div className="stack">
        <AlertForm coin={coin} first={price}>
          <b>
            <bdi dir="ltr">{code} / USDT</bdi>
          </b>
        </AlertForm>
        <AlertList quotes={coins.data} only={code} />
        <NavLink onPress={() => navigate('/pages/coinList/alerts', { code })}>{t('alerts.all')}</NavLink>
      </div>
    );
  return <NotLoaded read={coins} failed={t('alerts.failed')} />;
}
