import { readMarketMaker } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { formatCompact, formatPercent } from '@sathorn/text';
import { Badge, Card, CardHead, CoinMark, ErrorState, Money, Skeleton, SkeletonRows, useText } from '@sathorn/ui';
import { assetFigure } from '../parts/market/asset-figure.ts';
import { PriceOrigin } from '../parts/market/price-origin.tsx';
import { priceFigure } from './contract-figures.ts';
import './maker-disclosure.css';

const RULES = ['same_queue', 'own_money'] as const;

/** Discloses the house's market maker: what it is, its assets and profit, and its quotes. */
export function MakerDisclosure() {
  const { t, presentation } = useText<'contracts'>();
  const texts = useText();
  const { data, error, refetch } = useRead(readMarketMaker, {}, { freshForMs: 5_000, everyMs: 10_000 });
  const asset = (name: string, text: string) => assetFigure(name, text, presentation);
  const money = (text: string | null | undefined) =>
    data === undefined ? (
      <Skeleton width={96} height={20} />
    ) : text ? (
      <Money amount={text} asset="USDT" signed toned />
    ) : (
      '–'
    );
  return (
    <div className="maker stack">
      <Card>
        <p>{t('contracts.maker.lead')}</p>
        <ul className="maker-rules muted">
          {RULES.map((rule) => (
            <li key={rule}>{t(`contracts.maker.${rule}`)}</li>
          ))}
        </ul>
      </Card>
      {error && !data ? (
        <Card>
          <ErrorState
            title={t('contracts.maker.failed')}
            action={{ label: texts.t('shell.try_again'), onPress: () => void refetch() }}
          >
            {failureText(error.failure, texts)}
          </ErrorState>
        </Card>
      ) : (
        <>
          <Card className="maker-figures num">
            <div>
              <span className="cap">{t('contracts.maker.profit')}</span>
              <b>{money(data?.profit)}</b>
              <span className="cap">{t('contracts.maker.profit_note')}</span>
            </div>
            <div>
              <span className="cap">{t('contracts.maker.fees_paid')}</span>
              <b>
                {data === undefined ? (
                  <Skeleton width={96} height={20} />
                ) : data.fees_paid === null ? (
                  '–'
                ) : (
                  <Money amount={data.fees_paid} asset="USDT" />
                )}
              </b>
            </div>
          </Card>
          <Card>
            <CardHead title={t('contracts.maker.coins')} trail={<PriceOrigin origin={data?.coins[0]?.origin} />} />
            {data ? (
              data.coins.map((coin) => (
                <div key={coin.code} className="maker-coin num">
                  <CoinMark code={coin.code} />
                  <span>
                    <b>{coin.code}</b>{' '}
                    <Badge tone={coin.quoting ? 'success' : 'warn'}>
                      {t(coin.quoting ? 'contracts.maker.quoting' : 'contracts.maker.not_quoting')}
                    </Badge>
                    <span className="cap">
                      {t('contracts.maker.bid_ask', {
                        bid: coin.bid === null ? '–' : priceFigure(coin.code, coin.bid, presentation),
                        ask: coin.ask === null ? '–' : priceFigure(coin.code, coin.ask, presentation),
                      })}
                    </span>
                    <span className="cap">
                      {coin.house_share_24h === null
                        ? t('contracts.maker.untraded')
                        : t('contracts.maker.share', {
                            traded: `${formatCompact(coin.traded_24h, presentation)}\u00a0${coin.code}`,
                            share: formatPercent(coin.house_share_24h, presentation, { maxDecimals: 1 }),
                          })}
                    </span>
                  </span>
                </div>
              ))
            ) : (
              <SkeletonRows rows={8} label={texts.t('shell.loading')} />
            )}
          </Card>
          <Card>
            <CardHead title={t('contracts.maker.inventory')} />
            {data ? (
              data.assets.map((holding) => (
                <dl key={holding.asset} className="maker-holding num">
                  {(['given', 'now', 'in_orders'] as const).map((what) => (
                    <div key={what}>
                      <dt>{t(`contracts.maker.${what}`)}</dt>
                      <dd>
                        <bdi dir="ltr">{asset(holding.asset, holding[what === 'now' ? 'inventory' : what])}</bdi>
                      </dd>
                    </div>
                  ))}
                </dl>
              ))
            ) : (
              <SkeletonRows rows={4} label={texts.t('shell.loading')} />
            )}
          </Card>
        </>
      )}
    </div>
  );
}
