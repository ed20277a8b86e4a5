import type { CoinQuote } from '@sathorn/api';
import { useNavigation } from '@sathorn/app/navigation';
import { Card, ListRow, useText } from '@sathorn/ui';
import { useState } from 'react';
import { AlertForm } from '../parts/alerts/alert-form.tsx';
import { AlertList } from '../parts/alerts/alert-list.tsx';
import { CoinPicker } from '../parts/market/coin-picker.tsx';
import { useCoins } from '../parts/market/tickers.ts';
import { PageNotLoaded } from '../parts/read/not-loaded.tsx';
import { SafeguardTexts } from './safeguard-texts.tsx';

/** `#/pages/coinList/alerts`: sets an alert on a coin's price, and lists the alerts. */
export default function PriceAlerts() {
  return (
    <SafeguardTexts>
      <Page />
    </SafeguardTexts>
  );
}

function Page() {
  const { t } = useText<'safeguards'>();
  const { query } = useNavigation();
  const coins = useCoins();
  const [picked, setPicked] = useState(query.get('code') ?? 'BTC');
  const coin = coins.data?.find(({ code }) => code === picked) ?? coins.data?.[0];
  if (coin && coins.data) return <Loaded coin={coin} coins={coins.data} onPick={setPicked} />;
  return <PageNotLoaded read={coins} failed={t('alerts.failed')} />;
}

function Loaded({
  coin,
  coins,
  onPick,
}: {
  coin: CoinQuote;
  coins: readonly CoinQuote[];
  onPick: (code: string) => void;
}) {
  const { t } = useText<'safeguards'>();
  const { navigate } = useNavigation();
  return (
    <div className="page">
      <Card>
        <AlertForm key={coin.code} coin={coin}>
          <CoinPicker market={{ code: coin.code, coins }} onPick={onPick} />
        </AlertForm>
      </Card>
      <AlertList quotes={coins} />
      <Card tight>
        <ListRow icon="bell" title={t('alerts.push')} onPress={() => navigate('/pages/mine/setting/push')} />
      </Card>
    </div>
  );
}
