import { Late, preloadPart } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import {
  Card,
  EmptyState,
  ErrorState,
  Icon,
  IconButton,
  Skeleton,
  Sparkline,
  useMediaQuery,
  useText,
} from '@sathorn/ui';
import { useCallback, useState } from 'react';
import { SIDEWAYS_MEDIA_QUERY } from '../parts/chart/sideways.ts';
import { CoinPicker } from '../parts/market/coin-picker.tsx';
import { RiseColourOffer } from '../parts/market/rise-colour-offer.tsx';
import { setTicketPrice } from './contract-drafts.ts';
import { setContractPreferences, useContractPreferences } from './contract-preferences.ts';
import { MarketHead } from './market-head.tsx';
import { OrderBook } from './order-book.tsx';
import { useLiveBook } from './use-book.ts';
import { useContractMarket } from './use-contract-market.ts';
import './contract-desk.css';
import { LateNotes } from '../parts/offer/late-notes.tsx';

const PATH = '/pages/contracts/contracts';
const loadNotOffered = () => import('../parts/market/coin-not-offered.tsx');
const loadMakerSheet = () => import('./maker-sheet.tsx');
const loadParts = () => import('./desk-parts.tsx');
const loadTicketForm = async () => ({ default: (await loadParts()).TicketForm });
const loadContractChart = async () => ({ default: (await loadParts()).ContractChart });
const loadBelowTicket = () => import('./below-ticket.tsx');
// Loads them together with the screen, so that the price and the book do not wait for them.
for (const load of [loadParts, loadBelowTicket]) preloadPart(load);

/** The width from which the chart fits beside the ticket. */
const WIDE = '(min-width: 768px)';
const HEIGHTS = { chart: 286, below: 320 } as const;
/** The heights of the ticket's parts: sides, type, price, picks, size, slider, total, figures, button. */
const TICKET_ROWS = [48, 48, 72, 36, 74, 48, 70, 56, 48];

function toneOf(change: string | null): 'rise' | 'fall' | 'flat' {
  return change === null || !/[1-9]/.test(change) ? 'flat' : change.startsWith('-') ? 'fall' : 'rise';
}

/** A coin's whole market: price and chart, book and ticket side by side, the customer's orders, the public tape. */
export function ContractDesk() {
  const { t } = useText<'contracts'>();
  const { query, redirect, navigate } = useNavigation();
  const market = useContractMarket(query.get('code'));
  const book = useLiveBook(market.code, market.coin !== undefined && !market.isClosed && !market.isUnknown);
  const isWide = useMediaQuery(WIDE);
  const isSideways = useMediaQuery(SIDEWAYS_MEDIA_QUERY);
  const hasChart = (useContractPreferences((preferences) => preferences.hasChart) ?? isWide) || isSideways;
  const foldLabel = t(hasChart ? 'contracts.hide_chart' : 'contracts.show_chart');
  const fold = () => setContractPreferences({ hasChart: !hasChart });
  const [isMakerOpen, setMakerOpen] = useState(false);
  const onTake = useCallback((price: string) => setTicketPrice(market.code, price), [market.code]);
  const onAboutMaker = useCallback(() => setMakerOpen(true), []);
  const closeMaker = () => setMakerOpen(false);

  return (
    <>
      <PageBar
        title={<CoinPicker market={market} onPick={(code) => redirect(PATH, { code })} />}
        trail={
          <IconButton
            icon="list"
            label={t('screen.contract_orders')}
            onClick={() => navigate('/pages/contracts/orderList')}
          />
        }
      />
      <div className="page contract-desk">
        {market.isUnknown ? (
          <Late load={loadNotOffered}>
            {(NotOffered) => (
              <NotOffered
                code={query.get('code') ?? ''}
                coins={market.coins}
                onPick={(code) => redirect(PATH, { code })}
              />
            )}
          </Late>
        ) : market.isFailed ? (
          <ErrorState
            title={t('contracts.market_failed')}
            action={{ label: t('shell.try_again'), onPress: market.refetch }}
          />
        ) : (
          <>
            <div className="stack contract-market">
              <RiseColourOffer />
              <LateNotes
                pauses={['contracts', market.code]}
                changes={['fee', `coin/${market.code}`]}
                consent="contracts"
              />
              <Card className="contract-head">
                <MarketHead market={market} />
                <button type="button" className="contract-fold" aria-expanded={hasChart} onClick={fold}>
                  <span className="unseen">{foldLabel}</span>
                  {!hasChart && <Sparkline prices={market.coin?.spark ?? []} tone={toneOf(market.change)} />}
                  <Icon name="down" size={20} />
                </button>
                {hasChart && (
                  <Late load={loadContractChart} waiting={<Skeleton height={HEIGHTS.chart} />}>
                    {(ContractChart) => <ContractChart key={market.code} code={market.code} />}
                  </Late>
                )}
              </Card>
            </div>
            <div className="stack contract-trade">
              {market.isClosed ? (
                <Card>
                  <EmptyState picture="lock" title={t('contracts.closed')}>
                    {t('contracts.closed_lead')}
                  </EmptyState>
                </Card>
              ) : (
                <Card className="contract-ticket">
                  <Late
                    load={loadTicketForm}
                    waiting={
                      <div className="contract-ticket-waiting">
                        {TICKET_ROWS.map((height, place) => (
                          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change.
                          <Skeleton key={place} height={height} />
                        ))}
                      </div>
                    }
                  >
                    {(TicketForm) => <TicketForm key={market.code} market={market} />}
                  </Late>
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
              <Late load={loadBelowTicket} waiting={<Skeleton height={HEIGHTS.below} />}>
                {(BelowTicket) => <BelowTicket market={market} onAboutMaker={onAboutMaker} />}
              </Late>
            </div>
          </>
        )}
      </div>
      <Late load={loadMakerSheet} sheet={{ open: isMakerOpen, onClose: closeMaker }}>
        {(MakerSheet) => <MakerSheet open={isMakerOpen} onClose={closeMaker} />}
      </Late>
    </>
  );
}
