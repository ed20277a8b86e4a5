import { readOptionTotals, type User } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { practiceOf } from '@sathorn/app/practice';
import { setPreferences, usePreferences } from '@sathorn/app/preferences';
import { formatMoney, parseMoney, subtract, zero } from '@sathorn/money';
import { assetName, figureSeparator } from '@sathorn/text';
import { Button, Card, IconButton, Money, Skeleton, useText } from '@sathorn/ui';
import { useState } from 'react';
import { RateTime, useDisplayCurrency } from '../parts/account/use-display-currency.ts';
import { useSystemConfig } from '../shell/config.ts';
import { FundSheet } from './fund-sheet.tsx';

/** The value of the customer's coins in USDT: the rest of the total. */
function coinsValueOf({ total, balance, held, lockup, liquidity }: User): string {
  const usdt = (text: string) => parseMoney('USDT', text) ?? zero('USDT');
  return formatMoney(
    [balance, held, lockup, liquidity].reduce((rest, part) => subtract(rest, usdt(part)), usdt(total)),
  );
}

/** The total in the display currency, and its parts in USDT. */
export function AssetsCard({ user, onFunded }: { user: User; onFunded: () => void }) {
  const { t, presentation } = useText();
  const { navigate } = useNavigation();
  const hidden = usePreferences((preferences) => preferences.hideBalances);
  const isDemo = useSystemConfig()?.mode === 'demo';
  const [isFunding, setFunding] = useState(false);
  const { display } = useDisplayCurrency(user.currency);
  const { data: totals } = useRead(readOptionTotals, {});
  const parts = [
    ['mine.available', user.balance],
    ['mine.held', user.held],
    ['mine.lockup', user.lockup],
    ['mine.liquidity', user.liquidity],
    ...(user.coins.length > 0 ? [['mine.in_coins', coinsValueOf(user)] as const] : []),
  ] as const;

  return (
    <Card className="mine-assets">
      <div className="row">
        <h2 className="muted">{t('mine.total')}</h2>
        <IconButton
          icon={hidden ? 'eye-off' : 'eye'}
          size={20}
          label={t(hidden ? 'mine.show_money' : 'mine.hide_money')}
          onClick={() => setPreferences({ hideBalances: !hidden })}
        />
      </div>
      <p className="mine-total">
        {display ? (
          <Money
            amount={display.of(user.total)}
            unit={display.unit}
            decimals={display.decimals}
            hidden={hidden}
            fitted
          />
        ) : (
          <Money amount={user.total} asset="USDT" hidden={hidden} fitted />
        )}
      </p>
      <p className="cap num">
        {display ? (
          <>
            <Money amount={user.total} asset="USDT" hidden={hidden} />
            {figureSeparator(presentation)}
            <RateTime of={display} />
          </>
        ) : (
          '\u00a0'
        )}
      </p>
      {totals && /[1-9]/.test(totals.today) && (
        <p className="mine-today num" data-lost={totals.today.startsWith('-') ? '' : undefined}>
          {t('home.today')} <Money amount={totals.today} asset="USDT" signed hidden={hidden} />
        </p>
      )}
      {!hidden && <Shares parts={parts} />}
      <dl className="mine-parts">
        {parts.map(([key, amount]) => (
          <div key={key}>
            <dt data-part={key}>{t(key)}</dt>
            <dd>
              <Money amount={amount} hidden={hidden} />
              {/* Sighted people see the unit above. A screen reader user who comes from a total in another currency
                  hears it here. */}
              <span className="unseen"> {assetName('USDT', presentation)}</span>
            </dd>
          </div>
        ))}
      </dl>
      {practiceOf === null ? (
        <div className="mine-actions">
          <Button onClick={() => navigate('/pages/Recharge/Recharge')}>{t('screen.deposit')}</Button>
          <Button look="soft" onClick={() => navigate('/pages/Withdraw/Withdraw')}>
            {t('screen.withdraw')}
          </Button>
        </div>
      ) : (
        <Button onClick={() => setFunding(true)}>{t('mine.fund')}</Button>
      )}
      {isDemo && practiceOf === null && (
        <div className="mine-demo">
          <Button look="plain" size="small" onClick={() => setFunding(true)}>
            {t('mine.fund')}
          </Button>
        </div>
      )}
      {isDemo && <FundSheet open={isFunding} onClose={() => setFunding(false)} onFunded={onFunded} />}
    </Card>
  );
}

/** A bar of the shares of USDT. The figures below have the exact values, so the bar uses rounded numbers. */
function Shares({ parts }: { parts: readonly (readonly [key: string, amount: string])[] }) {
  const some = parts.filter(([, amount]) => Number(amount) > 0);
  if (some.length < 2) return null;
  return (
    <div className="mine-shares" aria-hidden="true">
      {some.map(([key, amount]) => (
        <span key={key} data-part={key} style={{ flexGrow: Number(amount) }} />
      ))}
    </div>
  );
}

/** Has the height of the card that it replaces. */
export function AssetsSkeleton() {
  const isDemo = useSystemConfig()?.mode === 'demo';
  return (
    <Card className="mine-assets">
      <div className="row mine-skeleton-head">
        <Skeleton width={110} height={14} />
      </div>
      <p className="mine-total">
        <Skeleton width={190} height={30} />
      </p>
      <p className="cap">
        <Skeleton width={130} height={11} />
      </p>
      <dl className="mine-parts">
        {['available', 'held', 'lockup', 'liquidity'].map((part) => (
          <div key={part}>
            <dt>
              <Skeleton width={50} height={11} />
            </dt>
            <dd>
              <Skeleton width={62} height={15} />
            </dd>
          </div>
        ))}
      </dl>
      {practiceOf === null ? (
        <div className="mine-actions">
          <Skeleton height={48} />
          <Skeleton height={48} />
        </div>
      ) : (
        <Skeleton height={48} />
      )}
      {isDemo && practiceOf === null && (
        <div className="mine-demo">
          <Skeleton height={44} width={150} />
        </div>
      )}
    </Card>
  );
}
