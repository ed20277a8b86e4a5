import { Chip, EmptyState, useText } from '@sathorn/ui';
import { COIN_VIEWS, type CoinView } from './view-coins.ts';
import './coin-views.css';

/** Chooses between all coins, favourites, and the coins with the largest changes. */
export function CoinViews({ view, onView }: { view: CoinView; onView: (view: CoinView) => void }) {
  const { t } = useText();
  return (
    <fieldset className="coin-views" aria-label={t('coins.view')}>
      {COIN_VIEWS.map((name) => (
        <Chip key={name} pressed={name === view} onClick={() => onView(name)}>
          {t(`coins.view_${name}`)}
        </Chip>
      ))}
    </fieldset>
  );
}

/** Shown for a view without coins. */
export function NoCoins({ view, onAll }: { view: Exclude<CoinView, 'all'>; onAll: () => void }) {
  const { t } = useText();
  return (
    <EmptyState
      picture={view === 'favourites' ? 'star' : 'chart'}
      title={t(`coins.no_${view}`)}
      action={{ label: t('coins.show_all'), onPress: onAll }}
    >
      {view === 'favourites' && t('coins.no_favourites_lead')}
    </EmptyState>
  );
}
