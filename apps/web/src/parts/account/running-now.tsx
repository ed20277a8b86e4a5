import { listAccountRecords, type OptionOrder, type User } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { usePreferences } from '@sathorn/app/preferences';
import { serverNowMs, useArePricesSilent } from '@sathorn/app/stream';
import { useAreaText } from '@sathorn/app/texts';
import { formatAsset, formatCount } from '@sathorn/text';
import { Card, HIDDEN_AMOUNT, ListRow, Money, useText } from '@sathorn/ui';
import type { ReactNode } from 'react';
import { useTickers } from '../market/tickers.ts';
import { MONEY_TEXT_AREA } from '../money/money-texts.tsx';
import { usePendingDeposits } from '../money/use-records.ts';
import { useHoldingOrders } from '../orders/held-order-store.ts';
import { liveOutcome } from '../orders/live-outcome.ts';
import './running-now.css';

const isSome = (amount: string): boolean => /[1-9]/.test(amount);

interface RunningNowProps {
  /** Adds this customer's earning products. */
  user?: User;
}

/** Everything that runs at this moment: options, deposits and withdrawals with their blocks, and earning products. */
export default function RunningNow({ user }: RunningNowProps) {
  const { t, presentation, has } = useText();
  const { t: say } = useAreaText(MONEY_TEXT_AREA, true);
  const { navigate } = useNavigation();
  const isHidden = usePreferences((preferences) => preferences.hideBalances);
  const { orders } = useHoldingOrders();
  const deposits = usePendingDeposits();
  const leaving = useRead(listAccountRecords, { setup: 'withdraw', status: 'undone' }, { freshForMs: 0 });
  // On home the texts of options come late.
  if (!say || !has('option.up_stake')) return null;

  const usdt = (amount: string) =>
    isHidden ? HIDDEN_AMOUNT : formatAsset(amount, 'USDT', presentation, { minDecimals: 2, maxDecimals: 2 });
  const blocks = (record: { confirmations: number | null; confirmations_needed: number | null }): ReactNode =>
    record.confirmations === null || record.confirmations_needed === null
      ? say('running.waits')
      : say('deposit.confirmed_of', {
          count: formatCount(record.confirmations, presentation),
          needed: formatCount(record.confirmations_needed, presentation),
        });
  const withdrawals = (leaving.data?.items ?? []).flatMap(({ withdrawal }) =>
    withdrawal && (withdrawal.status === 'review' || withdrawal.status === 'processing') ? [withdrawal] : [],
  );
  const rows: ReactNode[] = [
    ...(orders ?? []).map((order) => (
      <Bet
        key={order.id}
        order={order}
        isHidden={isHidden}
        title={t(order.direction === 'up' ? 'option.up_stake' : 'option.down_stake', {
          coin: order.name,
          stake: usdt(order.quantity),
        })}
        onPress={() => navigate('/pages/Option/Option', { code: order.name })}
      />
    )),
    ...(deposits ?? []).map((deposit) => (
      <ListRow
        key={deposit.id}
        icon="download"
        title={`${t('screen.deposit')} ${usdt(deposit.amount)}`}
        note={blocks(deposit)}
        onPress={() => navigate('/pages/Recharge/orderDetails', { id: deposit.id })}
      />
    )),
    ...withdrawals.map((withdrawal) => (
      <ListRow
        key={withdrawal.id}
        icon="upload"
        title={`${t('screen.withdraw')} ${usdt(withdrawal.actual_amount)}`}
        note={blocks(withdrawal)}
        onPress={() => navigate('/pages/Withdraw/orderDetails', { id: withdrawal.id })}
      />
    )),
    user && isSome(user.lockup) && (
      <ListRow
        key="lockups"
        icon="lock"
        title={t('mine.lockup')}
        value={<Money amount={user.lockup} asset="USDT" hidden={isHidden} />}
        onPress={() => navigate('/pages/Lock-up/record/record')}
      />
    ),
    user && isSome(user.liquidity) && (
      <ListRow
        key="liquidity"
        icon="drop"
        title={t('mine.liquidity')}
        value={<Money amount={user.liquidity} asset="USDT" hidden={isHidden} />}
        onPress={() => navigate('/pages/Liquidity/Liquidity')}
      />
    ),
  ].filter(Boolean);
  if (rows.length === 0) return null;
  return (
    <Card tight>
      <h2 className="running-title muted">{say('running.title')}</h2>
      {rows}
    </Card>
  );
}

interface BetProps {
  order: OptionOrder;
  title: string;
  isHidden: boolean;
  onPress: () => void;
}

/** An open option with its time left and its result at the current price. */
function Bet({ order, title, isHidden, onPress }: BetProps) {
  const { t } = useText();
  const ticker = useTickers((tickers) => tickers[order.name]);
  const isSilent = useArePricesSilent();
  const leftMs = Date.parse(order.end_time) - serverNowMs();
  // A stale price could show a wrong result, and after the end no price changes the result.
  const isLive = !isSilent && ticker?.stale === false && leftMs > 0;
  const live = isLive ? liveOutcome(order, ticker.price) : undefined;
  return (
    <ListRow
      icon="option"
      title={title}
      // Each new price updates the seconds, so without prices they would stand still. The row's name has neither them
      // nor the result, because a screen reader would say the focused row again with each price.
      note={isLive && <span aria-hidden="true">{t('option.seconds_left', { count: Math.ceil(leftMs / 1000) })}</span>}
      value={
        live && (
          <b aria-hidden="true">
            <Money amount={live.profit} signed toned exact hidden={isHidden} />
          </b>
        )
      }
      onPress={onPress}
    />
  );
}
