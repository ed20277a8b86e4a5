import type { OptionOrder } from '@sathorn/api';
import { Late, renderNothing, whenPageSettled } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import { Card, CardHead, ErrorState, NavLink, TERMINAL_MEDIA_QUERY, useMediaQuery, useText } from '@sathorn/ui';
import { type ReactNode, useState } from 'react';
import { CoinPicker } from '../parts/market/coin-picker.tsx';
import { CoinRow } from '../parts/market/coin-row.tsx';
import { RiseColourOffer } from '../parts/market/rise-colour-offer.tsx';
import { LateNotes } from '../parts/offer/late-notes.tsx';
import { useHoldingOrders } from '../parts/orders/held-order-store.ts';
import { LateHoldingOrders } from './late-holding-orders.tsx';
import { OptionTicket } from './option-ticket.tsx';
import { OptionPriceHead } from './price-head.tsx';
import { OptionResults } from './results.tsx';
import { useAreOptionsClosed } from './use-are-options-closed.ts';
import { type OptionMarket, useOptionMarket } from './use-option-market.ts';
import './option-desk.css';

const loadNotOffered = () => import('../parts/market/coin-not-offered.tsx');
const loadClosedOptions = () => import('./closed-options.tsx');
const loadOpenBets = () => import('./open-bets.tsx');
const loadOpenOrder = () => import('./open-order-sheet.tsx');
const loadKeepKeys = async () => {
  await whenPageSettled();
  return import('./keep-keys.tsx');
};

interface OptionDeskProps {
  path: string;
  chart?: (
    market: OptionMarket,
    orders: readonly OptionOrder[] | undefined,
    /** The id of the bet that the strip shows. */
    shown: string | undefined,
  ) => ReactNode;
}

/** The whole option page: the price with its chart, the open bets, and the ticket, which always stays in view. */
export function OptionDesk({ path, chart }: OptionDeskProps) {
  const { t } = useText();
  const { query, redirect, navigate } = useNavigation();
  const market = useOptionMarket(query.get('code'));
  const { orders, error, retry } = useHoldingOrders();
  const areClosed = useAreOptionsClosed();
  const isTerminal = useMediaQuery(TERMINAL_MEDIA_QUERY);
  const [place, setPlace] = useState(0);
  const [openedId, setOpened] = useState<string>();
  const opened = orders?.find(({ id }) => id === openedId);

  return (
    <>
      <PageBar
        title={<CoinPicker market={market} onPick={(code) => redirect(path, { code })} />}
        trail={
          <NavLink onPress={() => navigate('/pages/Option/orderRecord/orderRecord')}>{t('option.records')}</NavLink>
        }
      />
      {market.isUnknown || market.isFailed ? (
        <div className="page">
          {market.isUnknown ? (
            <Late load={loadNotOffered}>
              {(NotOffered) => (
                <NotOffered code={market.code} coins={market.coins} onPick={(code) => redirect(path, { code })} />
              )}
            </Late>
          ) : (
            <ErrorState
              title={t('option.market_failed')}
              action={{ label: t('shell.try_again'), onPress: market.refetch }}
            />
          )}
        </div>
      ) : (
        <div className="option-desk">
          {isTerminal && (
            <Card className="option-coins">
              <CardHead title={t('option.choose_coin')} />
              <ul>
                {market.coins.map((coin) => (
                  <CoinRow key={coin.code} coin={coin} onPress={() => redirect(path, { code: coin.code })} />
                ))}
              </ul>
            </Card>
          )}
          <div className="option-view">
            <RiseColourOffer />
            <LateNotes
              pauses={['options', market.code]}
              changes={[`option/${market.code}`, `option_sale/${market.code}`]}
              consent="options"
            />
            <Card className="option-card">
              <OptionPriceHead market={market} />
              {chart?.(market, orders, orders?.[place]?.id)}
              {!isTerminal && (
                <LateHoldingOrders
                  isStrip
                  orders={orders ?? []}
                  onPress={({ id }) => setOpened(id)}
                  onShow={setPlace}
                />
              )}
            </Card>
            {isTerminal && (
              <Late load={loadOpenBets} waiting={<Card className="open-bets" />} failed={renderNothing}>
                {(OpenBets) => (
                  <OpenBets
                    orders={orders}
                    read={{ error, refetch: retry }}
                    onPress={({ id }) => setOpened(id)}
                    onShow={setPlace}
                  />
                )}
              </Late>
            )}
          </div>
          {areClosed ? (
            <Card>
              <Late load={loadClosedOptions} failed={renderNothing} />
            </Card>
          ) : (
            <OptionTicket key={market.code} market={market} />
          )}
        </div>
      )}
      <OptionResults path={path} />
      <Late load={loadOpenOrder} sheet={{ open: opened !== undefined, onClose: () => setOpened(undefined) }}>
        {(OpenOrder) => <OpenOrder order={opened} onClose={() => setOpened(undefined)} />}
      </Late>
      <Late load={loadKeepKeys} failed={renderNothing} />
    </>
  );
}
