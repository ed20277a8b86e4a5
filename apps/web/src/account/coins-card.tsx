import type { User } from '@sathorn/api';
import { useNavigation } from '@sathorn/app/navigation';
import { usePreferences } from '@sathorn/app/preferences';
import { parseDecimal } from '@sathorn/money';
import { Card, CoinMark, Icon, Money, useText } from '@sathorn/ui';
import { useState } from 'react';
import { assetFigure } from '../parts/market/asset-figure.ts';

/** The customer's coins with their values; each row links to the coin's market. */
export function CoinsCard({ coins }: { coins: User['coins'] }) {
  const { t, presentation } = useText();
  const { navigate } = useNavigation();
  const hidden = usePreferences((preferences) => preferences.hideBalances);
  const [areAllShown, setAllShown] = useState(false);
  if (coins.length === 0) return null;
  const shown = areAllShown ? coins : coins.filter((coin) => !isDust(coin));
  const dustCount = coins.length - shown.length;
  return (
    <Card tight>
      <div className="row mine-coins-title">
        <h2 className="muted">{t('mine.coins')}</h2>
        <button type="button" className="mine-coins-more" onClick={() => navigate('/pages/mine/portfolio')}>
          {t('mine.coins_profit')}
          <Icon name="forward" size={13} flip />
        </button>
      </div>
      {shown.map(({ code, amount, held, value }) => (
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
      {dustCount > 0 && (
        <button type="button" className="mine-dust" onClick={() => setAllShown(true)}>
          {t('mine.coins_small', { count: dustCount })}
        </button>
      )}
    </Card>
  );
}

const USDT_SCALE = 6;
/** 0.1 USDT. A smaller remainder is not worth showing at each visit. */
const DUST_BELOW = 100_000n;

/** Remainders of sales in whole lots. They are shown on request, because they still belong to the customer. */
function isDust({ value, held }: User['coins'][number]): boolean {
  const worth = value === null ? undefined : parseDecimal(value, USDT_SCALE);
  return worth !== undefined && worth < DUST_BELOW && !/[1-9]/.test(held);
}
