import type { CoinQuote } from '@sathorn/api';
import { failureText } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { Card, ErrorState, ListRow, SkeletonRows, useText } from '@sathorn/ui';
import { useState } from 'react';
import { AlertForm } from '../parts/alerts/alert-form.tsx';
import { AlertList } from '../parts/alerts/alert-list.tsx';
import { CoinPicker } from '../parts/market/coin-picker.tsx';
import { useCoins } from '../parts/market/tickers.ts';
import { SafeguardTexts } from './safeguard-texts.tsx';

/** `#/pages/coinList/alerts`: be alerted when a coin reaches a price, and the alerts that are set. */
export default function PriceAlerts() {
  return (
    <SafeguardTexts>
      <Page />
    </SafeguardTexts>
  );
}

function Page() {
  const texts = useText();
  const { t } = useText<'safeguards'>();
  const { query } = useNavigation();
  const coins = useCoins();
  const [picked, setPicked] = useState(query.get('code') ?? 'BTC');
  const coin = coins.data?.find(({ code }) => code === picked) ?? coins.data?.[0];
  if (coin && coins.data) return <Loaded coin={coin} coins={coins.data} onPick={setPicked} />;
  return (
    <div className="page">
      <Card>
        {coins.error ? (
          <ErrorState
            title={t('alerts.failed')}
            action={{ label: texts.t('shell.try_again'), onPress: () => void coins.refetch() }}
          >
            {failureText(coins.error.failure, texts)}
          </ErrorState>
        ) : (
          <SkeletonRows rows={6} label={texts.t('shell.loading')} />
        )}
      </Card>
    </div>
  );
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
