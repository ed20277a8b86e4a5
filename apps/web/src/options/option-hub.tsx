import { type CoinQuote, readRules } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { Late, renderNothing } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { formatPercent } from '@sathorn/text';
import { Badge, Button, Card, CardHead, ErrorState, ListRow, Skeleton, TabHead, useText } from '@sathorn/ui';
import { CoinRow } from '../parts/market/coin-row.tsx';
import { PriceOrigin } from '../parts/market/price-origin.tsx';
import { useCoins } from '../parts/market/tickers.ts';
import { NotLoaded } from '../parts/read/not-loaded.tsx';
import { NextRules } from '../parts/text/next-rules.tsx';
import { RichText } from '../parts/text/rich-text.tsx';
import ClosedOptions from './closed-options.tsx';
import { useAreOptionsClosed } from './use-are-options-closed.ts';
import './option-hub.css';

const loadExample = () => import('./rules-example.tsx');

/** `#/pages/optionRule/index`: the coins with options, their payouts, and how options work. */
export default function OptionHub() {
  const texts = useText();
  const { t } = texts;
  const { navigate } = useNavigation();
  const { data, error, refetch } = useCoins();
  const coins = data?.filter((coin) => coin.options);
  const areClosed = useAreOptionsClosed();
  return (
    <>
      <TabHead title={t('screen.option')} trail={<PriceOrigin origin={data?.[0]?.origin} />} />
      <div className="page">
        <Card look="wood" className="hub-lead">
          <p>{t('hub.lead')}</p>
          <p className="hub-risk">{t('hub.risk')}</p>
          {!areClosed && (
            <Button size="small" onClick={() => navigate('/pages/Option/Option')}>
              {t('option.start_trading')}
            </Button>
          )}
        </Card>
        <Card>
          <CardHead title={t('hub.open')} />
          {areClosed ? (
            <ClosedOptions />
          ) : coins ? (
            <ul>
              {coins.map((coin) => (
                <HubCoin
                  key={coin.code}
                  coin={coin}
                  onPress={() => navigate('/pages/Option/Option', { code: coin.code })}
                />
              ))}
            </ul>
          ) : (
            <NotLoaded read={{ error, refetch }} rows={8} />
          )}
        </Card>
        <Card tight>
          <ListRow
            icon="list"
            title={t('screen.option_records')}
            onPress={() => navigate('/pages/Option/orderRecord/orderRecord')}
          />
          <ListRow
            icon="chart"
            title={t('hub.without_chart')}
            note={t('hub.without_chart_note')}
            onPress={() => navigate('/pages/Option/Option_old')}
          />
          <ListRow
            icon="shield"
            title={t('screen.verify')}
            onPress={() => navigate('/pages/verify/index?tab=verify')}
          />
        </Card>
        <Rules />
      </div>
    </>
  );
}

function HubCoin({ coin, onPress }: { coin: CoinQuote; onPress: () => void }) {
  const { t, presentation } = useText();
  const [low, high] = [coin.payouts?.[0], coin.payouts?.at(-1)];
  const note =
    low === undefined || high === undefined
      ? coin.name
      : low === high
        ? t('hub.payout', { rate: formatPercent(low, presentation) })
        : t('hub.payout_range', { low: formatPercent(low, presentation), high: formatPercent(high, presentation) });
  return <CoinRow coin={coin} note={note} onPress={onPress} />;
}

function Rules() {
  const texts = useText();
  const { t } = texts;
  const { data, error, refetch } = useRead(readRules, { of: 'options' }, { freshForMs: 300_000 });
  return (
    <Card className="hub-rules">
      <CardHead
        title={t('hub.rules')}
        trail={data && <Badge>{t('hub.rules_version', { hash: data.hash.slice(0, 8) })}</Badge>}
      />
      {data ? (
        <>
          <NextRules next={data.next} />
          <Late load={loadExample} failed={renderNothing} />
          <RichText text={data.content} />
        </>
      ) : error ? (
        <ErrorState
          title={failureText(error.failure, texts)}
          action={{ label: t('shell.try_again'), onPress: () => void refetch() }}
        />
      ) : (
        <Skeleton height={320} />
      )}
    </Card>
  );
}
