import type { OptionOrder } from '@sathorn/api';
import { Late, renderNothing } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { serverNowMs, useArePricesSilent } from '@sathorn/app/stream';
import { Button, CountdownRing, Money, PriceText, Sheet, StaleMark, useText } from '@sathorn/ui';
import { useRef } from 'react';
import { useTickers } from '../parts/market/tickers.ts';
import { liveOutcome } from '../parts/orders/live-outcome.ts';
import { ResultView } from './result-view.tsx';
import './result-sheet.css';

const loadSellOption = () => import('./sell-option.tsx');

/** Everything about an open bet. When the bet ends, the sheet closes and the result replaces it. */
export default function OpenOrderSheet({ order, onClose }: { order: OptionOrder | undefined; onClose: () => void }) {
  const { t } = useText();
  const { navigate } = useNavigation();
  // The order stays visible while the sheet slides away.
  const last = useRef(order);
  if (order) last.current = order;
  const shown = last.current;
  return (
    <Sheet open={order !== undefined} onClose={onClose} title={t('option.status.holding')} titleUnseen>
      {shown && (
        <div className="result-sheet">
          <ResultView
            order={shown}
            live={<IfItEndedNow order={shown} />}
            act={
              shown.sale && (
                <Late load={loadSellOption} failed={renderNothing}>
                  {(SellOption) => <SellOption order={shown} onSold={onClose} />}
                </Late>
              )
            }
          />
          <Button
            look="soft"
            onClick={() => {
              onClose();
              navigate('/pages/Option/orderRecord/receipt', { id: shown.id });
            }}
          >
            {t('option.open_receipt')}
          </Button>
        </div>
      )}
    </Sheet>
  );
}

/** The time left, and the result that the bet would have at the current price. */
function IfItEndedNow({ order }: { order: OptionOrder }) {
  const { t } = useText();
  const ticker = useTickers((tickers) => tickers[order.name]);
  const isSilent = useArePricesSilent();
  const endsAt = Date.parse(order.end_time);
  const isOld = isSilent || ticker?.stale === true;
  // A stale price could show a wrong result, and after the end no price changes the result.
  const live = isOld || serverNowMs() >= endsAt ? undefined : liveOutcome(order, ticker?.price ?? null);
  return (
    <>
      <span className="result-ring">
        <CountdownRing
          from={Date.parse(order.start_time)}
          to={endsAt}
          now={serverNowMs}
          label={(seconds) => t('option.seconds_left', { count: seconds })}
        />
      </span>
      <p className="result-title">{t('option.if_ended_now')}</p>
      <p className="result-amount">
        {live ? <Money amount={live.profit} asset="USDT" signed toned exact fitted /> : '–'}
      </p>
      <p className="muted num">
        {isOld ? (
          <StaleMark>{t(isSilent ? 'price.reconnecting' : 'price.stale')}</StaleMark>
        ) : (
          <>
            {t('option.price_now')} <PriceText price={ticker?.price ?? null} />
          </>
        )}
      </p>
    </>
  );
}
