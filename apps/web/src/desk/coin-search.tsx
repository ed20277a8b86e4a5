import { useNavigation } from '@sathorn/app/navigation';
import { EmptyState, Icon, Sheet, TextField, useText } from '@sathorn/ui';
import { useRef, useState } from 'react';
import { CoinRow } from '../parts/market/coin-row.tsx';
import { filterCoins } from '../parts/market/filter-coins.ts';
import { openCoinPage } from '../parts/market/open-coin-page.ts';
import { useCoins } from '../parts/market/tickers.ts';

const OPTION = '/pages/Option/Option';

interface CoinSearchProps {
  open: boolean;
  onClose: () => void;
}

/** Finds a coin from any page by its code or name; Enter opens the first result. */
export default function CoinSearch({ open, onClose }: CoinSearchProps) {
  const { t } = useText();
  const { navigate, redirect, address } = useNavigation();
  const coins = useCoins();
  const [search, setSearch] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const found = filterCoins(coins.data ?? [], search);
  const close = () => {
    setSearch('');
    onClose();
  };
  // Stays with options if the current page is an option, otherwise opens the coin's market.
  const choose = (coin: (typeof found)[number] | undefined) => {
    if (!coin) return;
    close();
    if (coin.options && address.startsWith(OPTION)) redirect(OPTION, { code: coin.code });
    else openCoinPage(coin, navigate)?.();
  };
  return (
    <Sheet open={open} onClose={close} title={t('coins.search')} initialFocus={field}>
      <TextField
        label={t('coins.search')}
        labelUnseen
        type="search"
        ref={field}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') choose(found[0]);
        }}
        lead={<Icon name="search" size={18} />}
      />
      {found.length > 0 ? (
        <ul>
          {found.map((coin) => (
            <CoinRow key={coin.code} coin={coin} onPress={() => choose(coin)} />
          ))}
        </ul>
      ) : (
        <EmptyState
          picture="search"
          title={t('coins.none')}
          action={{ label: t('coins.show_all'), onPress: () => setSearch('') }}
        />
      )}
    </Sheet>
  );
}
