import { addAlert, type CoinQuote, listAlerts, type PriceAlert, removeAlert, switchAlert } from '@sathorn/api';
import { failureText, readKey, useCall, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { useTopic } from '@sathorn/app/stream';
import { COINS, type CoinCode, isCoinCode, parsePrice } from '@sathorn/money';
import { formatCount, formatDate, formatDecimalText, formatPercent, type Presentation } from '@sathorn/text';
import {
  AmountField,
  Button,
  Card,
  CardHead,
  EmptyState,
  ErrorState,
  SkeletonRows,
  StaleMark,
  Switch,
  Tabs,
  useText,
} from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { CoinPicker } from '../parts/market/coin-picker.tsx';
import { useCoins, useLiveQuote } from '../parts/market/tickers.ts';
import { SafeguardTexts } from './safeguard-texts.tsx';

const STEPS = [1, 2, 5, 10] as const;

/** `#/pages/coinList/alerts`: be alerted when a coin reaches a price, and the alerts that are set. */
export default function PriceAlerts() {
  return (
    <SafeguardTexts>
      <Page />
    </SafeguardTexts>
  );
}

function Page() {
  const texts = useText();
  const { t } = useText<'safeguards'>();
  const { query } = useNavigation();
  const coins = useCoins();
  const [picked, setPicked] = useState(query.get('code') ?? 'BTC');
  const coin = coins.data?.find(({ code }) => code === picked) ?? coins.data?.[0];
  if (coin && coins.data) return <Loaded coin={coin} coins={coins.data} onPick={setPicked} />;
  return (
    <div className="page">
      <Card>
        {coins.error ? (
          <ErrorState
            title={t('alerts.failed')}
            action={{ label: texts.t('shell.try_again'), onPress: () => void coins.refetch() }}
          >
            {failureText(coins.error.failure, texts)}
          </ErrorState>
        ) : (
          <SkeletonRows rows={6} label={texts.t('shell.loading')} />
        )}
      </Card>
    </div>
  );
}

/** Isolated, so that its sign stays before the number in a right-to-left sentence. */
const signedPercent = (share: string, decimals: number, presentation: Presentation): string =>
  `\u2066${formatPercent(share, presentation, { minDecimals: decimals, maxDecimals: decimals, signed: true })}\u2069`;

/** Exact: percent of a price, rounded to the coin's steps. */
function stepFrom(price: string, percent: number, decimals: number): string {
  const units = parsePrice(price);
  if (units === undefined) return '';
  const step = 10n ** BigInt(6 - decimals);
  const moved = (units * BigInt(100 + percent)) / 100n;
  const text = String((moved / step) * step).padStart(7, '0');
  return `${text.slice(0, -6)}.${text.slice(-6, text.length - 6 + decimals)}`.replace(/\.$/, '');
}

/** How far a price is from now, as a share. */
function distance(price: string, now: string): string | null {
  const [there, here] = [parsePrice(price), parsePrice(now)];
  if (there === undefined || here === undefined || here === 0n) return null;
  const parts = ((there - here) * 10_000n) / here;
  const text = String(parts < 0n ? -parts : parts).padStart(5, '0');
  return `${parts < 0n ? '-' : ''}${text.slice(0, -4)}.${text.slice(-4)}`;
}

function Loaded({
  coin,
  coins,
  onPick,
}: {
  coin: CoinQuote;
  coins: readonly CoinQuote[];
  onPick: (code: string) => void;
}) {
  const texts = useText();
  const { t, presentation } = useText<'safeguards'>();
  const queries = useQueryClient();
  const quote = useLiveQuote(coin);
  const add = useCall(addAlert, { quiet: true });
  const [side, setSide] = useState<'above' | 'below'>('above');
  const [price, setPrice] = useState('');
  const [isEach, setEach] = useState(false);
  const [error, setError] = useState<string>();
  const now = quote.price ?? '';
  const decimals = isCoinCode(coin.code) ? COINS[coin.code as CoinCode].indexDecimals : 2;
  const figure = (text: string) => formatDecimalText(text, presentation, { minDecimals: decimals });
  const percentOf = (share: string, decimalPlaces: number) => signedPercent(share, decimalPlaces, presentation);
  const far = price === '' ? null : distance(price, now);
  const send = async () => {
    setError(undefined);
    const done = await add.submit({ code: coin.code, side, price, mode: isEach ? 'each' : 'once' });
    if (!done.ok) return setError(done.fields.price ?? failureText(done, texts));
    setPrice('');
    queries.setQueriesData({ queryKey: readKey(listAlerts) }, done.data);
  };
  return (
    <div className="page">
      <Card className="stack">
        <div className="row">
          <CoinPicker
            market={{ code: coin.code, coins }}
            onPick={(code) => {
              setPrice('');
              onPick(code);
            }}
          />
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
          hint={far === null ? undefined : percentOf(far, 2)}
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
                onClick={() => setPrice(stepFrom(now, percent, decimals))}
              >
                {percentOf(String(percent / 100), 0)}
              </Button>
            );
          })}
        </div>
        <Switch label={t('alerts.each')} note={t('alerts.each_note')} checked={isEach} onChange={setEach} />
        <Button busy={add.isBusy} disabled={price === ''} onClick={() => void send()}>
          {price === '' ? texts.t('screen.alerts') : t('alerts.add', { price: figure(price) })}
        </Button>
      </Card>
      <AlertList quotes={coins} />
    </div>
  );
}

function AlertList({ quotes }: { quotes: readonly CoinQuote[] }) {
  const texts = useText();
  const { t, presentation } = useText<'safeguards'>();
  const { data, error, refetch } = useRead(listAlerts, {}, { freshForMs: 0 });
  const again = useCallback(() => void refetch(), [refetch]);
  useTopic('alerts', again);
  const count = (n: number) => formatCount(n, presentation);
  return (
    <Card>
      <CardHead
        title={t('alerts.set')}
        trail={
          data && (
            <span className="muted num">
              {t('alerts.of', { count: count(data.items.length), max: count(data.max) })}
            </span>
          )
        }
      />
      {data?.items.map((alert) => (
        <AlertRow key={alert.id} alert={alert} quote={quotes.find(({ code }) => code === alert.code)} />
      ))}
      {data?.items.length === 0 && (
        <EmptyState icon="bell" title={t('alerts.none')}>
          {t('alerts.none_note')}
        </EmptyState>
      )}
      {!data && error && (
        <ErrorState
          title={t('alerts.failed')}
          action={{ label: texts.t('shell.try_again'), onPress: () => void refetch() }}
        >
          {failureText(error.failure, texts)}
        </ErrorState>
      )}
      {!data && !error && <SkeletonRows rows={3} label={texts.t('shell.loading')} />}
    </Card>
  );
}

function AlertRow({ alert, quote }: { alert: PriceAlert; quote: CoinQuote | undefined }) {
  const { t, presentation } = useText<'safeguards'>();
  const queries = useQueryClient();
  const toggle = useCall(switchAlert, { withoutOverlay: true });
  const remove = useCall(removeAlert, { withoutOverlay: true });
  const decimals = isCoinCode(alert.code) ? COINS[alert.code as CoinCode].indexDecimals : 2;
  const figure = (text: string) => formatDecimalText(text, presentation, { minDecimals: decimals });
  const far = quote?.price ? distance(alert.price, quote.price) : null;
  const take = async (sent: ReturnType<typeof toggle.submit>) => {
    const done = await sent;
    if (done.ok) queries.setQueriesData({ queryKey: readKey(listAlerts) }, done.data);
  };
  const { fired } = alert;
  const name = `${alert.code} ${t(`alerts.${alert.side}`)} ${figure(alert.price)}`;
  return (
    <div className="alert-row">
      <Switch
        label={
          <span className="num">
            <bdi>{alert.code}</bdi> {alert.side === 'above' ? '▲' : '▼'} <bdi>{figure(alert.price)}</bdi>{' '}
            {far !== null && alert.on && <span className="muted">{signedPercent(far, 2, presentation)}</span>}
          </span>
        }
        note={
          fired && !alert.on
            ? `${t('alerts.fired', { time: formatDate(fired.at, 'dateTime', presentation) })} · ${t('alerts.tick', {
                price: figure(fired.price),
                sequence: formatCount(Number(fired.sequence), presentation),
              })}`
            : t(alert.mode === 'once' ? 'alerts.once' : 'alerts.each_short')
        }
        checked={alert.on}
        disabled={toggle.isBusy}
        onChange={(isOn) => void take(toggle.submit({ id: alert.id, on: isOn ? '1' : '0' }))}
      />
      <Button
        look="plain"
        size="small"
        busy={remove.isBusy}
        aria-label={`${t('alerts.remove')} ${name}`}
        onClick={() => void take(remove.submit({ id: alert.id }))}
      >
        {t('alerts.remove')}
      </Button>
    </div>
  );
}
