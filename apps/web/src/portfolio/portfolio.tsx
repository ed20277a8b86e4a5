import { readUser, type User } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { usePreferences } from '@sathorn/app/preferences';
import { COIN_CODES, type CoinCode } from '@sathorn/money';
import { formatPercent } from '@sathorn/text';
import { Button, Card, CoinMark, EmptyState, FactList, Money, useText } from '@sathorn/ui';
import { CardNotLoaded } from '../parts/read/not-loaded.tsx';
import { PortfolioTexts } from './portfolio-texts.tsx';
import type { Position } from './positions-of.ts';
import { usePositions } from './use-positions.ts';
import { type PositionView, sumPositions, viewPosition, worthOf } from './view-position.ts';
import './portfolio.css';

/** `#/pages/mine/portfolio`: what the customer's coins cost, and what came of them. */
export default function Portfolio() {
  return (
    <PortfolioTexts>
      <div className="page">
        <Body />
      </div>
    </PortfolioTexts>
  );
}

function Body() {
  const { t } = useText<'portfolio'>();
  const { navigate } = useNavigation();
  const user = useRead(readUser, {});
  const fills = usePositions();
  if (!user.data) return <CardNotLoaded read={user} failed={t('portfolio.failed')} rows={6} />;
  if (fills.data === undefined) return <CardNotLoaded read={fills} failed={t('portfolio.failed')} rows={6} />;
  if (fills.data === null)
    return (
      <Card>
        <p>{t('portfolio.too_many')}</p>
      </Card>
    );
  const { count, positions } = fills.data;
  if (positions.size === 0)
    return (
      <Card>
        <EmptyState title={t('portfolio.none')}>{t('portfolio.none_lead')}</EmptyState>
        <Button look="soft" onClick={() => navigate('/pages/coinList/index')}>
          {t('portfolio.to_coins')}
        </Button>
      </Card>
    );
  const views = viewAll(positions, user.data.coins);
  return (
    <>
      <Sums views={views.map(({ view }) => view)} coins={user.data.coins} />
      {views.map(({ code, view }) => (
        <CoinCard key={code} code={code} view={view} onPress={() => navigate('/pages/contracts/contracts', { code })} />
      ))}
      <p className="cap portfolio-how">{t('portfolio.how', { count })}</p>
    </>
  );
}

function viewAll(positions: ReadonlyMap<CoinCode, Position>, coins: User['coins']) {
  return COIN_CODES.flatMap((code) => {
    const position = positions.get(code);
    if (position === undefined) return [];
    const held = coins.find((coin) => coin.code === code) ?? { amount: '0', value: '0' };
    return [{ code, view: viewPosition(position, held) }];
  });
}

/** An amount in USDT with its sign, in the colour of a gain or a loss. */
function Result({ amount }: { amount: string }) {
  const isHidden = usePreferences((preferences) => preferences.hideBalances);
  return <Money amount={amount} asset="USDT" signed toned hidden={isHidden} />;
}

function Sums({ views, coins }: { views: readonly PositionView[]; coins: User['coins'] }) {
  const { t } = useText<'portfolio'>();
  const isHidden = usePreferences((preferences) => preferences.hideBalances);
  const { unrealised, realised } = sumPositions(views);
  return (
    <Card>
      <FactList
        facts={[
          {
            name: t('portfolio.worth'),
            value: <Money amount={worthOf(coins)} asset="USDT" hidden={isHidden} />,
          },
          { name: t('portfolio.unrealised'), value: <Result amount={unrealised} /> },
          { name: t('portfolio.realised'), value: <Result amount={realised} /> },
        ]}
      />
    </Card>
  );
}

function CoinCard({ code, view, onPress }: { code: CoinCode; view: PositionView; onPress: () => void }) {
  const { t, presentation } = useText<'portfolio'>();
  const isHidden = usePreferences((preferences) => preferences.hideBalances);
  const isHeld = /[1-9]/.test(view.quantity);
  return (
    <Card>
      <button type="button" className="portfolio-coin" onClick={onPress}>
        <CoinMark code={code} />
        <b>{code}</b>
        <span className="portfolio-value num">
          {isHeld ? (
            view.value !== null && <Money amount={view.value} asset="USDT" hidden={isHidden} />
          ) : (
            <span className="muted">{t('portfolio.sold')}</span>
          )}
        </span>
      </button>
      <FactList
        facts={[
          ...(isHeld
            ? [
                {
                  name: t('portfolio.held'),
                  value: <Money amount={view.quantity} asset={code} decimals={0} exact hidden={isHidden} />,
                },
              ]
            : []),
          ...(view.average === null
            ? []
            : [{ name: t('portfolio.average'), value: <Money amount={view.average} asset="USDT" exact /> }]),
          ...(view.unrealised === null
            ? []
            : [
                {
                  name: t('portfolio.unrealised'),
                  value: (
                    <>
                      <Result amount={view.unrealised} />
                      {view.share !== null && (
                        <span className="cap portfolio-share">
                          <bdi dir="ltr">
                            {formatPercent(view.share, presentation, { minDecimals: 2, maxDecimals: 2, signed: true })}
                          </bdi>
                        </span>
                      )}
                    </>
                  ),
                },
              ]),
          { name: t('portfolio.realised'), value: <Result amount={view.realised} /> },
        ]}
      />
      {view.isPartlyUnbought && <p className="cap">{t('portfolio.unbought')}</p>}
    </Card>
  );
}
