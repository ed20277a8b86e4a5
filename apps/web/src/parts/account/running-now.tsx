import { listAccountRecords, type User } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { usePreferences } from '@sathorn/app/preferences';
import { useAreaText } from '@sathorn/app/texts';
import { formatAsset, formatCount } from '@sathorn/text';
import { Card, HIDDEN_AMOUNT, ListRow, Money, useText } from '@sathorn/ui';
import type { ReactNode } from 'react';
import { MONEY_TEXT_AREA } from '../parts/money/money-texts.tsx';
import { usePendingDeposits } from '../parts/money/use-records.ts';
import { useHoldingOrders } from '../parts/orders/held-order-store.ts';

const isSome = (amount: string): boolean => /[1-9]/.test(amount);

/** Everything that runs at this moment: options, deposits and withdrawals with their blocks, and earning products. */
export default function RunningNow({ user }: { user: User }) {
  const { t, presentation } = useText();
  const { t: say } = useAreaText(MONEY_TEXT_AREA, true);
  const { navigate } = useNavigation();
  const isHidden = usePreferences((preferences) => preferences.hideBalances);
  const { orders } = useHoldingOrders();
  const deposits = usePendingDeposits();
  const leaving = useRead(listAccountRecords, { setup: 'withdraw', status: 'undone' }, { freshForMs: 0 });
  if (!say) return null;

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
      <ListRow
        key={order.id}
        icon="option"
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
    isSome(user.lockup) && (
      <ListRow
        key="lockups"
        icon="lock"
        title={t('mine.lockup')}
        value={<Money amount={user.lockup} asset="USDT" hidden={isHidden} />}
        onPress={() => navigate('/pages/Lock-up/record/record')}
      />
    ),
    isSome(user.liquidity) && (
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
      <h2 className="mine-coins-title muted">{say('running.title')}</h2>
      {rows}
    </Card>
  );
}
