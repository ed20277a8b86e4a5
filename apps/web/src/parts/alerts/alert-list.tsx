import { type CoinQuote, listAlerts, type PriceAlert, removeAlert, switchAlert } from '@sathorn/api';
import { readQueryKey, useCall, useRead } from '@sathorn/app/client';
import { useTopic } from '@sathorn/app/stream';
import { COINS, type CoinCode, isCoinCode } from '@sathorn/money';
import { formatCount, formatDate, formatDecimalText, formatPercent } from '@sathorn/text';
import { Button, Card, CardHead, EmptyState, Switch, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { NotLoaded } from '../read/not-loaded.tsx';
import { priceDistance } from './alert-figures.ts';
import './alerts.css';

/** The customer's alerts on all coins, or on one. */
export function AlertList({ quotes, only }: { quotes: readonly CoinQuote[]; only?: string }) {
  const { t, presentation } = useText<'safeguards'>();
  const { data, error, refetch } = useRead(listAlerts, {}, { freshForMs: 0 });
  const again = useCallback(() => void refetch(), [refetch]);
  useTopic('alerts', again);
  const items = data?.items.filter(({ code }) => only === undefined || code === only);
  const count = (n: number) => formatCount(n, presentation);
  return (
    <Card>
      <CardHead
        title={t('alerts.set')}
        trail={
          data && (
            <span className="muted num">
              {/* The limit applies to all coins together. */}
              {only === undefined
                ? t('alerts.of', { count: count(data.items.length), max: count(data.max) })
                : count(items?.length ?? 0)}
            </span>
          )
        }
      />
      {items?.map((alert) => (
        <AlertRow key={alert.id} alert={alert} quote={quotes.find(({ code }) => code === alert.code)} />
      ))}
      {items?.length === 0 && (
        <EmptyState picture="bell" title={t('alerts.none')}>
          {t('alerts.none_note')}
        </EmptyState>
      )}
      {!data && <NotLoaded read={{ error, refetch }} failed={t('alerts.failed')} rows={3} />}
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
  const far = quote?.price ? priceDistance(alert.price, quote.price) : null;
  const take = async (sent: ReturnType<typeof toggle.submit>) => {
    const done = await sent;
    if (done.ok) queries.setQueriesData({ queryKey: readQueryKey(listAlerts) }, done.data);
  };
  const { fired } = alert;
  const name = `${alert.code} ${t(`alerts.${alert.side}`)} ${figure(alert.price)}`;
  return (
    <div className="alert-row">
      <Switch
        label={
          <span className="num">
            <bdi>{alert.code}</bdi> {alert.side === 'above' ? '▲' : '▼'} <bdi>{figure(alert.price)}</bdi>{' '}
            {far !== null && alert.on && (
              <bdi className="muted" dir="ltr">
                {formatPercent(far, presentation, { minDecimals: 2, maxDecimals: 2, signed: true })}
              </bdi>
            )}
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
