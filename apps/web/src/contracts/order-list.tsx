import { type ContractOrder, listContracts } from '@sathorn/api';
import { rowsOfPages, useReadPages } from '@sathorn/app/client';
import { Late } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { Card, EmptyState, ListRow, Tabs, useText } from '@sathorn/ui';
import { HideAmountsHead, useAreAmountsHidden } from '../parts/account/hide-amounts-head.tsx';
import { ListEnd } from '../parts/list/list-end.tsx';
import { NoRows } from '../parts/list/no-rows.tsx';
import { useCoins } from '../parts/market/tickers.ts';
import { ContractTexts } from './contract-texts.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterSelect } from './filter-select.tsx';
import { OrderRow } from './order-row.tsx';
import { useOwnOrderStore } from './own-order-store.ts';
import { isNewerOrder, isOpenOrder } from './own-orders.ts';
import { RevokeAll } from './revoke-all.tsx';
import { useOrderNews } from './use-order-news.ts';
import { useOwnOrders } from './use-own-orders.ts';
import { useRevokeOrder } from './use-revoke-order.ts';
import './order-list.css';

const loadWaitingRows = () => import('./waiting-rows.tsx');
const STATUSES = ['open', 'history', 'all'] as const;
type Status = (typeof STATUSES)[number];
const PATH = '/pages/contracts/orderList';

/** `#/pages/contracts/orderList`: every order, filtered by state, coin and side; and the export of all fills. */
export default function OrderList() {
  return (
    <ContractTexts>
      <Orders />
    </ContractTexts>
  );
}

function Orders() {
  const { t } = useText<'contracts'>();
  const { query, redirect, navigate } = useNavigation();
  const coins = useCoins();
  const codes = coins.data?.filter((coin) => coin.contracts).map(({ code }) => code) ?? [];
  const asked = query.get('status');
  const status = STATUSES.find((known) => known === asked) ?? 'open';
  const code = query.get('code') ?? '';
  const side = query.get('side') === 'buy' ? 'buy' : query.get('side') === 'sell' ? 'sell' : '';
  const filter = (part: { status?: string; code?: string; side?: string }) =>
    redirect(PATH, { status, code, side, ...part });
  return (
    <div className="page">
      <HideAmountsHead>
        <Tabs
          label={t('contracts.your_orders')}
          value={status}
          onChange={(chosen) => filter({ status: chosen })}
          panelId="orders"
          tabs={STATUSES.map((value) => ({ value, label: t(`contracts.${value}`) }))}
        />
      </HideAmountsHead>
      <Card tight>
        <ListRow
          icon="refresh"
          title={t('contracts.buy_regularly')}
          onPress={() => navigate('/pages/contracts/recurring')}
        />
      </Card>
      <div className="order-filters">
        <FilterSelect
          label={t('contracts.filter_coin')}
          value={code}
          onChange={(chosen) => filter({ code: chosen })}
          options={[
            { value: '', label: t('contracts.all_coins') },
            // Includes the coin from the address even before the list of coins is loaded.
            ...[...new Set([...codes, ...(code === '' ? [] : [code])])].map((value) => ({ value, label: value })),
          ]}
        />
        <FilterSelect
          label={t('contracts.filter_side')}
          value={side}
          onChange={(chosen) => filter({ side: chosen })}
          options={[
            { value: '', label: t('contracts.all_sides') },
            { value: 'buy', label: t('contracts.only_buys') },
            { value: 'sell', label: t('contracts.only_sells') },
          ]}
        />
        <ExportButton code={code === '' ? undefined : code} />
      </div>
      <div id="orders" role="tabpanel" tabIndex={-1} aria-label={t(`contracts.${status}`)} className="stack">
        <Late load={loadWaitingRows}>
          {(WaitingRows) => <WaitingRows code={code === '' ? undefined : code} status={status} side={side} />}
        </Late>
        <Rows status={status} code={code} side={side} />
      </div>
    </div>
  );
}

function Rows({ status, code, side }: { status: Status; code: string; side: '' | 'buy' | 'sell' }) {
  const { t } = useText<'contracts'>();
  const { navigate, redirect } = useNavigation();
  const { revoke, revoking } = useRevokeOrder();
  const areAmountsHidden = useAreAmountsHidden();
  const list = useReadPages(
    listContracts,
    { status, ...(code === '' ? {} : { code }), ...(side === '' ? {} : { side }) },
    { freshForMs: 0 },
  );
  useOwnOrders();
  useOrderNews();
  const live = useOwnOrderStore((own) => own.byId);
  const shown = rowsOfPages(list.data)
    .map((order): ContractOrder => {
      const now = live[order.id];
      return now && isNewerOrder(now, order) ? now : order;
    })
    .filter((order) => status !== 'open' || isOpenOrder(order));

  if (shown.length > 0) {
    return (
      <>
        {/* The button revokes both sides, so it is hidden while only one side is shown. */}
        {status === 'open' && side === '' && shown.length > 1 && <RevokeAll code={code === '' ? undefined : code} />}
        <Card tight>
          {shown.map((order) => (
            <OrderRow
              key={order.id}
              order={order}
              areAmountsHidden={areAmountsHidden}
              isRevoking={revoking === order.id}
              onRevoke={() => void revoke(order)}
              onPress={() => navigate('/pages/contracts/orderDetails', { id: order.id })}
            />
          ))}
        </Card>
        <ListEnd list={list} />
      </>
    );
  }
  return (
    <Card tight>
      <NoRows
        list={list}
        none={
          code !== '' || side !== '' ? (
            <EmptyState
              picture="search"
              title={t('contracts.none_filtered')}
              action={{ label: t('contracts.see_all'), onPress: () => redirect(PATH, { status }) }}
            />
          ) : (
            <EmptyState
              picture="list"
              title={t(`contracts.none_${status}`)}
              action={{ label: t('contracts.start_trading'), onPress: () => navigate('/pages/contracts/contracts') }}
            />
          )
        }
      />
    </Card>
  );
}
