import { useNavigation } from '@sathorn/app/navigation';
import { usePreferences } from '@sathorn/app/preferences';
import { formatCompact } from '@sathorn/text';
import { Card, EmptyState, Icon, TabHead, TextField, useText } from '@sathorn/ui';
import { useState } from 'react';
import { AlertBell } from '../parts/market/alert-bell.tsx';
import { CoinRow } from '../parts/market/coin-row.tsx';
import { CoinViews, NoCoins } from '../parts/market/coin-views.tsx';
import { filterCoins } from '../parts/market/filter-coins.ts';
import { openCoinPage } from '../parts/market/open-coin-page.ts';
import { PriceOrigin } from '../parts/market/price-origin.tsx';
import { useCoins } from '../parts/market/tickers.ts';
import { type CoinView, viewCoins } from '../parts/market/view-coins.ts';
import { NotLoaded } from '../parts/read/not-loaded.tsx';
import { FavouriteStar } from './favourite-star.tsx';
import { type CoinOrder, sortCoins } from './sort-coins.ts';
import './coin-list.css';

const COLUMNS = ['name', 'price', 'change'] as const;

/** `#/pages/coinList/index`: all coins, with search and sorting. */
export default function CoinList() {
  const texts = useText();
  const { t, presentation } = texts;
  const { navigate } = useNavigation();
  const { data, error, refetch } = useCoins();
  const [search, setSearch] = useState('');
  const [view, setView] = useState<CoinView>('all');
  const [order, setOrder] = useState<CoinOrder>({ by: 'listed', isDown: false });
  const favourites = usePreferences((preferences) => preferences.favourites);
  const viewed = data && viewCoins(data, view, favourites);
  const coins = viewed && sortCoins(filterCoins(viewed, search), order);

  const sortBy = (by: CoinOrder['by']) => {
    // Each press goes on to descending, ascending and the default order.
    if (order.by !== by) setOrder({ by, isDown: by !== 'name' });
    else if (order.isDown === (by !== 'name')) setOrder({ by, isDown: !order.isDown });
    else setOrder({ by: 'listed', isDown: false });
  };

  return (
    <>
      <TabHead
        title={t('home.quotes')}
        trail={
          <span className="row">
            <PriceOrigin origin={data?.[0]?.origin} />
            <AlertBell />
          </span>
        }
      />
      <div className="page">
        <div className="coin-search">
          <TextField
            label={t('coins.search')}
            labelUnseen
            type="search"
            placeholder={t('coins.search')}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            lead={<Icon name="search" size={18} />}
          />
        </div>
        <CoinViews view={view} onView={setView} />
        <Card tight>
          <fieldset className="coin-columns" aria-label={t('coins.sort')}>
            {COLUMNS.map((by) => (
              <button
                key={by}
                type="button"
                aria-pressed={order.by === by}
                data-down={order.by === by ? order.isDown : undefined}
                onClick={() => sortBy(by)}
              >
                {t(`coins.by_${by}`)}
                {order.by === by && (
                  <span className="unseen">{t(order.isDown ? 'coins.sorted_down' : 'coins.sorted_up')}</span>
                )}
                <Icon name="down" size={12} />
              </button>
            ))}
          </fieldset>
          {coins ? (
            coins.length > 0 ? (
              <ul>
                {coins.map((coin) => (
                  <CoinRow
                    key={coin.code}
                    coin={coin}
                    lead={<FavouriteStar code={coin.code} />}
                    onPress={openCoinPage(coin, navigate)}
                    note={
                      coin.volume === null
                        ? coin.name
                        : t('coins.volume', { volume: formatCompact(coin.volume, presentation) })
                    }
                  />
                ))}
              </ul>
            ) : view !== 'all' && viewed?.length === 0 ? (
              <NoCoins view={view} onAll={() => setView('all')} />
            ) : (
              <EmptyState
                picture="search"
                title={t('coins.none')}
                action={{ label: t('coins.show_all'), onPress: () => setSearch('') }}
              />
            )
          ) : (
            <NotLoaded read={{ error, refetch }} rows={8} />
          )}
        </Card>
      </div>
    </>
  );
}
