import { type ContractOrder, listContracts } from '@sathorn/api';
import { type Failure, failureText, rowsOfPages, useReadPages } from '@sathorn/app/client';
import { Late } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { formatCount } from '@sathorn/text';
import { Card, Chip, EmptyState, ErrorState, SkeletonRows, Tabs, useText } from '@sathorn/ui';
import { type ReactNode, useState } from 'react';
import { startLimitOrder } from './contract-drafts.ts';
import { OrderRow } from './order-row.tsx';
import { RevokeAll } from './revoke-all.tsx';
import { useOwnOrders } from './use-own-orders.ts';
import { useRevokeOrder } from './use-revoke-order.ts';
import { useWaitingOrders } from './use-waiting-orders.ts';
import './own-orders-card.css';

const loadWaitingRows = () => import('./waiting-rows.tsx');
const TABS = ['open', 'history'] as const;
/** The orders page shows more rows. */
const HISTORY_ROWS = 10;

/** The customer's orders below the ticket: open ones with a button to revoke, and the outcomes of ended ones. */
export function OwnOrdersCard({ code, isClosed }: { code: string; isClosed: boolean }) {
  const { t, presentation } = useText<'contracts'>();
  const { navigate } = useNavigation();
  const [tab, setTab] = useState<(typeof TABS)[number]>('open');
  const [isOneCoin, setOneCoin] = useState(true);
  const own = useOwnOrders();
  // Only who has such orders loads the part that shows them.
  const { waiting } = useWaitingOrders();
  const open = own.open?.filter((order) => !isOneCoin || order.code === code);
  return (
    <Card className="own-orders">
      <Tabs
        label={t('contracts.your_orders')}
        value={tab}
        onChange={setTab}
        panelId="own-orders"
        tabs={[
          {
            value: 'open',
            label: open
              ? t('contracts.open_number', { number: formatCount(open.length, presentation) })
              : t('contracts.open'),
          },
          { value: 'history', label: t('contracts.history') },
        ]}
      />
      <div id="own-orders" role="tabpanel" tabIndex={-1} aria-label={t(`contracts.${tab}`)}>
        <div className="own-orders-of">
          <Chip pressed={isOneCoin} onClick={() => setOneCoin(true)}>
            {code}
          </Chip>
          <Chip pressed={!isOneCoin} onClick={() => setOneCoin(false)}>
            {t('contracts.all_coins')}
          </Chip>
          <button type="button" className="own-orders-all" onClick={() => navigate('/pages/contracts/orderList')}>
            {t('contracts.see_all')}
          </button>
        </div>
        {(tab === 'history' || (waiting && waiting.length > 0)) && (
          <Late load={loadWaitingRows}>
            {(WaitingRows) => <WaitingRows code={isOneCoin ? code : undefined} status={tab} isInside />}
          </Late>
        )}
        {tab === 'open' && open && open.length > 1 && <RevokeAll code={isOneCoin ? code : undefined} />}
        {tab === 'open' ? (
          <Rows
            orders={open}
            isFailed={own.isFailed}
            onRetry={own.refetch}
            none={
              <EmptyState
                picture="chart"
                title={t('contracts.none_open')}
                {...(isClosed
                  ? {}
                  : { action: { label: t('contracts.place_limit'), onPress: () => startLimitOrder(code) } })}
              />
            }
          />
        ) : (
          <History code={isOneCoin ? code : undefined} />
        )}
      </div>
    </Card>
  );
}

function History({ code }: { code: string | undefined }) {
  const { t } = useText<'contracts'>();
  const list = useReadPages(listContracts, { status: 'history', ...(code === undefined ? {} : { code }) });
  return (
    <Rows
      orders={list.data && rowsOfPages(list.data).slice(0, HISTORY_ROWS)}
      isFailed={list.isError}
      error={list.error?.failure}
      onRetry={() => list.refetch()}
      none={<EmptyState title={t('contracts.none_history')} />}
    />
  );
}

function Rows({
  orders,
  isFailed,
  error,
  onRetry,
  none,
}: {
  orders: readonly ContractOrder[] | undefined;
  isFailed: boolean;
  error?: Failure | undefined;
  onRetry: () => unknown;
  none: ReactNode;
}): ReactNode {
  const texts = useText();
  const { navigate } = useNavigation();
  const { revoke, revoking } = useRevokeOrder();
  if (orders && orders.length > 0) {
    return orders.map((order) => (
      <OrderRow
        key={order.id}
        order={order}
        isRevoking={revoking === order.id}
        onRevoke={() => void revoke(order)}
        onPress={() => navigate('/pages/contracts/orderDetails', { id: order.id })}
      />
    ));
  }
  if (orders) return none;
  if (isFailed) {
    return (
      <ErrorState
        title={error ? failureText(error, texts) : texts.t('REQUEST_ERROR')}
        action={{ label: texts.t('shell.try_again'), onPress: () => void onRetry() }}
      />
    );
  }
  return <SkeletonRows rows={2} label={texts.t('shell.loading')} />;
}
