import type { CoinQuote } from '@sathorn/api';
import { Card, EmptyState, useText } from '@sathorn/ui';
import { CoinRow } from './coin-row.tsx';

interface CoinNotOfferedProps {
  code: string;
  coins: readonly CoinQuote[];
  onPick: (code: string) => void;
}

/** Shown instead of the ticket: a URL with a coin must never lead to a ticket of another one. */
export function CoinNotOffered({ code, coins, onPick }: CoinNotOfferedProps) {
  const { t } = useText();
  return (
    <Card>
      <EmptyState icon="coin" title={t('market.not_offered')}>
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
