import { addAlert, type CoinQuote, listAlerts } from '@sathorn/api';
import { failureText, readQueryKey, useCall } from '@sathorn/app/client';
import { COINS, type CoinCode, isCoinCode, parsePrice } from '@sathorn/money';
import { formatDecimalText, formatPercent } from '@sathorn/text';
import { AmountField, Button, StaleMark, Switch, Tabs, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLiveQuote } from '../market/tickers.ts';
import { priceByPercent, priceDistance } from './alert-figures.ts';
import './alerts.css';

const STEPS = [1, 2, 5, 10] as const;

interface AlertFormProps {
  coin: CoinQuote;
  /** The initial price of the form. */
  first?: string | undefined;
  /** The coin, shown before its current price. */
  children: ReactNode;
}

/** A form that sets an alert on a coin. */
export function AlertForm({ coin, first = '', children }: AlertFormProps) {
  const texts = useText();
  const { t, presentation } = useText<'safeguards'>();
  const queries = useQueryClient();
  const quote = useLiveQuote(coin);
  const add = useCall(addAlert, { quiet: true });
  const [side, setSide] = useState<'above' | 'below'>(isBelow(first, quote.price) ? 'below' : 'above');
  const [price, setPrice] = useState(first);
  const [isEach, setEach] = useState(false);
  const [error, setError] = useState<string>();
  const now = quote.price ?? '';
  const decimals = isCoinCode(coin.code) ? COINS[coin.code as CoinCode].indexDecimals : 2;
  const figure = (text: string) => formatDecimalText(text, presentation, { minDecimals: decimals });
  const far = price === '' ? null : priceDistance(price, now);
  const send = async () => {
    setError(undefined);
    const done = await add.submit({ code: coin.code, side, price, mode: isEach ? 'each' : 'once' });
    if (!done.ok) return setError(done.fields.price ?? failureText(done, texts));
    setPrice('');
    queries.setQueriesData({ queryKey: readQueryKey(listAlerts) }, done.data);
  };
  return (
    <div className="stack">
      <div className="row">
        {children}
        <span className="muted num">
          {quote.stale ? <StaleMark>{texts.t('price.stale')}</StaleMark> : <bdi>{now && figure(now)}</bdi>}
        </span>
      </div>
      <Tabs
        label={texts.t('screen.alerts')}
        value={side}
        onChange={setSide}
        tabs={[
          { value: 'above', label: t('alerts.above') },
          { value: 'below', label: t('alerts.below') },
        ]}
      />
      <AmountField
        label={t('alerts.price')}
        labelUnseen
        name="price"
        unit="USDT"
        scale={decimals}
        value={price}
        onChange={setPrice}
        faultText={(what) => texts.t(`amount.${what}`)}
        hint={
          far === null ? undefined : (
            <bdi dir="ltr">{formatPercent(far, presentation, { maxDecimals: 2, minDecimals: 2, signed: true })}</bdi>
          )
        }
        error={error}
      />
      <div className="alert-steps num">
        {STEPS.map((step) => {
          const percent = side === 'above' ? step : -step;
          return (
            <Button
              key={step}
              look="soft"
              size="small"
              disabled={now === ''}
              onClick={() => setPrice(priceByPercent(now, percent, decimals))}
            >
              <span dir="ltr">
                {formatPercent(String(percent / 100), presentation, { maxDecimals: 0, signed: true })}
              </span>
            </Button>
          );
        })}
      </div>
      <Switch label={t('alerts.each')} note={t('alerts.each_note')} checked={isEach} onChange={setEach} />
      <Button busy={add.isBusy} disabled={price === ''} onClick={() => void send()}>
        {price === '' ? texts.t('screen.alerts') : t('alerts.add', { price: figure(price) })}
      </Button>
    </div>
  );
}

function isBelow(first: string, now: string | null): boolean {
  const [price, current] = [parsePrice(first), parsePrice(now ?? '')];
  return price !== undefined && current !== undefined && price < current;
}
