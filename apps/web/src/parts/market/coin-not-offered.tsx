import type { CoinQuote } from '@sathorn/api';
import { Card, EmptyState, useText } from '@sathorn/ui';
import { CoinRow } from './coin-row.tsx';

interface CoinNotOfferedProps {
  code: string;
  coins: readonly CoinQuote[];
  onPick: (code: string) => void;
}

/** Shown in place of the ticket, because an address with an unknown coin must not open another coin's ticket. */
export default function CoinNotOffered({ code, coins, onPick }: CoinNotOfferedProps) {
  const { t } = useText();
  return (
    <Card>
      <EmptyState picture="coin" title={t('market.not_offered')}>
        {t('market.not_offered_lead', { coin: code.slice(0, 12) })}
      </EmptyState>
      <ul>
        {coins.map((coin) => (
          <CoinRow key={coin.code} coin={coin} onPress={() => onPick(coin.code)} />
        ))}
      </ul>
    </Card>
  );
}
