import type { CoinQuote } from '@sathorn/api';
import { Icon, Sheet, useText } from '@sathorn/ui';
import { useState } from 'react';
import { CoinRow } from './coin-row.tsx';
import './coin-picker.css';

/** The coin pair in the title bar. A press lists the other coins. */
export function CoinPicker({
  market,
  onPick,
}: {
  market: { readonly code: string; readonly coins: readonly CoinQuote[] };
  onPick: (code: string) => void;
}) {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="coin-picker" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <bdi dir="ltr">{market.code} / USDT</bdi>
        <Icon name="down" size={16} />
      </button>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={t('option.choose_coin')}>
        <ul>
          {market.coins.map((coin) => (
            <CoinRow
              key={coin.code}
              coin={coin}
              onPress={() => {
                onPick(coin.code);
                setOpen(false);
              }}
            />
          ))}
        </ul>
      </Sheet>
    </>
  );
}
