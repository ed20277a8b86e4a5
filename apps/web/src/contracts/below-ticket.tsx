import { useNavigation } from '@sathorn/app/navigation';
import { Card, ListRow, useText } from '@sathorn/ui';
import { OwnOrdersCard } from './own-orders-card.tsx';
import { SmallBalancesRow } from './small-balances-row.tsx';
import { Tape } from './tape.tsx';
import type { ContractMarket } from './use-contract-market.ts';
import { useOrderNews } from './use-order-news.ts';

/** The part below the ticket: own orders, the public tape, and a link to the coin's options. */
export default function BelowTicket({ market, onAboutMaker }: { market: ContractMarket; onAboutMaker: () => void }) {
  const { t } = useText();
  const { navigate } = useNavigation();
  useOrderNews();
  return (
    <>
      <OwnOrdersCard code={market.code} isClosed={market.isClosed} />
      {!market.isClosed && <SmallBalancesRow />}
      {!market.isClosed && <Tape code={market.code} onAboutMaker={onAboutMaker} />}
      {market.coin?.options && (
        <Card tight className="contract-options">
          <ListRow
            icon="option"
            title={t('screen.option')}
            value={<bdi dir="ltr">{market.code} / USDT</bdi>}
            onPress={() => navigate('/pages/Option/Option', { code: market.code })}
          />
        </Card>
      )}
    </>
  );
}
