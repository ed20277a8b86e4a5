import type { User } from '@sathorn/api';
import { Card, CoinMark, Money, useText } from '@sathorn/ui';
import { useNavigation } from '../../navigation/navigation.tsx';
import { assetFigure } from '../../parts/contracts/contract-figures.ts';
import { usePreferences } from '../../preferences/preferences.ts';

/** What the customer has of each coin, and what it is worth; each leads to where it is traded. */
export function CoinsCard({ coins }: { coins: User['coins'] }) {
  const { t, presentation } = useText();
  const { navigate } = useNavigation();
  const hidden = usePreferences((preferences) => preferences.hideBalances);
  if (coins.length === 0) return null;
  return (
    <Card tight>
      <h2 className="mine-coins-title muted">{t('mine.coins')}</h2>
      {coins.map(({ code, amount, held, value }) => (
        <button
          key={code}
          type="button"
          className="mine-coin"
          onClick={() => navigate('/pages/contracts/contracts', { code })}
        >
          <CoinMark code={code} />
          <b>{code}</b>
          <span className="mine-coin-figures num">
            <b>
              <Money amount={amount} asset={code} decimals={0} exact hidden={hidden} />
            </b>
            <span className="cap">
              {value === null ? (
                t('mine.coin_unpriced')
              ) : (
                <>
                  ≈ <Money amount={value} asset="USDT" hidden={hidden} />
                </>
              )}
              {/[1-9]/.test(held) && !hidden && (
                <span className="mine-coin-held">
                  {t('mine.coin_held', { amount: assetFigure(code, held, presentation) })}
                </span>
              )}
            </span>
          </span>
        </button>
      ))}
    </Card>
  );
}
