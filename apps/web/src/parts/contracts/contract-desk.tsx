import { Card, EmptyState, ErrorState, IconButton, Skeleton, useText } from '@sathorn/ui';
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { useNavigation } from '../../navigation/navigation.tsx';
import { PageBar } from '../../shell/page-bar.tsx';
import { Rescue } from '../../shell/rescue.tsx';
import { CoinPicker } from '../options/coin-picker.tsx';
import { setContractPreferences, useContractPreferences } from './contract-preferences.ts';
import { useContractText } from './contract-texts.tsx';
import { lazyNow } from './lazy-now.ts';
import { MarketHead } from './market-head.tsx';
import { Opened } from './opened.tsx';
import { OrderBook } from './order-book.tsx';
import { useLiveBook } from './use-book.ts';
import { useContractMarket } from './use-contract-market.ts';
import './contract-desk.css';

const PATH = '/pages/contracts/contracts';
const MakerSheet = lazy(() => import('./maker-sheet.tsx'));
// Under way with the screen itself, so that the price and the book don't wait for them.
const TicketForm = lazyNow(() => import('./ticket-form.tsx'));
const ContractChart = lazyNow(() => import('./contract-chart.tsx'));
const BelowTicket = lazyNow(() => import('./below-ticket.tsx'));

const HEIGHTS = { chart: 286, ticket: 560, below: 320 } as const;

/** The whole of a coin's market: price and chart, book and ticket beside each other, own orders, the public tape. */
export function ContractDesk() {
  const { t } = useContractText();
  const { t: say } = useText();
  const { query, redirect, navigate } = useNavigation();
  const market = useContractMarket(query.get('code'));
  const book = useLiveBook(market.code, market.coin !== undefined && !market.isClosed);
  const hasChart = useContractPreferences((preferences) => preferences.hasChart);
  const [taken, setTaken] = useState<{ price: string; at: number } | null>(null);
  const [isMakerOpen, setMakerOpen] = useState(false);
  const onTake = useCallback((price: string) => setTaken({ price, at: performance.now() }), []);
  const onAboutMaker = useCallback(() => setMakerOpen(true), []);

  return (
    <>
      <PageBar
        title={<CoinPicker market={market} onPick={(code) => redirect(PATH, { code })} />}
        trail={
          <>
            <IconButton
              icon="chart"
              label={t(hasChart ? 'contracts.hide_chart' : 'contracts.show_chart')}
              aria-pressed={hasChart}
              onClick={() => setContractPreferences({ hasChart: !hasChart })}
            />
            <IconButton
              icon="list"
              label={say('screen.contract_orders')}
              onClick={() => navigate('/pages/contracts/orderList')}
            />
          </>
        }
      />
      <div className="page contract-desk">
        {market.isFailed ? (
          <ErrorState
            title={t('contracts.market_failed')}
            action={{ label: say('shell.try_again'), onPress: market.refetch }}
          />
        ) : (
          <>
            <div className="stack contract-market">
              <Card>
                <MarketHead market={market} />
                {hasChart && (
                  <Part height={HEIGHTS.chart}>
                    <ContractChart key={market.code} code={market.code} />
                  </Part>
                )}
              </Card>
            </div>
            <div className="stack contract-trade">
              {market.isClosed ? (
                <Card>
                  <EmptyState icon="lock" title={t('contracts.closed')}>
                    {t('contracts.closed_lead')}
                  </EmptyState>
                </Card>
              ) : (
                <Card className="contract-ticket">
                  <Part height={HEIGHTS.ticket}>
                    <TicketForm key={market.code} market={market} taken={taken} />
                  </Part>
                  <OrderBook
                    market={market}
                    isFailed={book.isFailed}
                    onRetry={book.refetch}
                    onTake={onTake}
                    onAboutMaker={onAboutMaker}
                  />
                </Card>
              )}
            </div>
            <div className="stack contract-own">
              <Part height={HEIGHTS.below}>
                <BelowTicket market={market} onAboutMaker={onAboutMaker} />
              </Part>
            </div>
          </>
        )}
      </div>
      <Opened is={isMakerOpen}>
        <MakerSheet open={isMakerOpen} onClose={() => setMakerOpen(false)} />
      </Opened>
    </>
  );
}

/** What has a chunk of its own: its place is kept until it is there, and the rest of the page does not depend on it. */
function Part({ height, children }: { height: number; children: ReactNode }) {
  const { t } = useText();
  return (
    <Rescue
      instead={
        <ErrorState
          title={t('chunk.failed')}
          action={{ label: t('shell.try_again'), onPress: () => location.reload() }}
        />
      }
    >
      <Suspense fallback={<Skeleton height={height} />}>{children}</Suspense>
    </Rescue>
  );
}
