import { Late, nothing, settled } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import { Button, Card, ErrorState, NavLink, useText } from '@sathorn/ui';
import type { ReactNode } from 'react';
import { CoinNotOffered } from '../parts/market/coin-not-offered.tsx';
import { CoinPicker } from '../parts/market/coin-picker.tsx';
import { RiseOffer } from '../parts/market/rise-offer.tsx';
import { useHoldingOrders } from '../parts/orders/holding-orders.ts';
import { LateHoldingOrders } from './late-holding-orders.tsx';
import { OptionTicket } from './option-ticket.tsx';
import { Results } from './results.tsx';
import { useAreOptionsClosed } from './use-are-options-closed.ts';
import { type OptionMarket, useOptionMarket } from './use-option-market.ts';
import './option-desk.css';
import { LateNotes } from '../parts/offer/late-notes.tsx';

const loadClosedOptions = () => import('./closed-options.tsx');
const loadKeepKeys = async () => {
  await settled();
  return import('./keep-keys.tsx');
};

/** The whole option page except for its header, which is a chart or only the price. */
export function OptionDesk({
  path,
  head,
}: {
  path: string;
  head: (market: OptionMarket, orders: ReturnType<typeof useHoldingOrders>['orders']) => ReactNode;
}) {
  const { t } = useText();
  const { query, redirect, navigate } = useNavigation();
  const market = useOptionMarket(query.get('code'));
  const { orders } = useHoldingOrders();
  const areClosed = useAreOptionsClosed();

  return (
    <>
      <PageBar
        title={<CoinPicker market={market} onPick={(code) => redirect(path, { code })} />}
        trail={
          <NavLink onPress={() => navigate('/pages/Option/orderRecord/orderRecord')}>{t('option.records')}</NavLink>
        }
      />
      <div className="page option-desk">
        {market.isUnknown ? (
          <CoinNotOffered code={market.code} coins={market.coins} onPick={(code) => redirect(path, { code })} />
        ) : market.isFailed ? (
          <ErrorState
            title={t('option.market_failed')}
            action={{ label: t('shell.try_again'), onPress: market.refetch }}
          />
        ) : (
          <>
            <div className="stack">
              <RiseOffer />
              <LateNotes pauses={['options', market.code]} changes={[`option/${market.code}`]} consent="options" />
              {head(market, orders)}
            </div>
            <div className="stack">
              {areClosed ? (
                <Card>
                  <Late load={loadClosedOptions} failed={nothing} />
                </Card>
              ) : (
                <OptionTicket key={market.code} market={market} />
              )}
              <LateHoldingOrders
                orders={orders ?? []}
                onPress={(order) => navigate('/pages/Option/orderRecord/receipt', { id: order.id })}
              />
              {market.coin?.contracts && (
                <Button
                  look="soft"
                  icon="coin"
                  onClick={() => navigate('/pages/contracts/contracts', { code: market.code })}
                >
                  {t('screen.contracts')} <bdi dir="ltr">{market.code} / USDT</bdi>
                </Button>
              )}
            </div>
          </>
        )}
      </div>
      <Results />
      <Late load={loadKeepKeys} failed={nothing} />
    </>
  );
}
