import { listOptions, type OptionOrder, readOptionTotals } from '@sathorn/api';
import { rowsOfPages, useRead, useReadPages } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { figureSeparator, formatDate, formatDecimalText } from '@sathorn/text';
import {
  Badge,
  type BadgeTone,
  Card,
  CoinMark,
  EmptyState,
  Icon,
  type IconName,
  Money,
  PriceText,
  Skeleton,
  Tabs,
  useText,
} from '@sathorn/ui';
import { HideAmountsHead, useAreAmountsHidden } from '../parts/account/hide-amounts-head.tsx';
import { ListEnd } from '../parts/list/list-end.tsx';
import { NoRows } from '../parts/list/no-rows.tsx';
import { useLiveTickers } from '../parts/market/tickers.ts';
import { useHoldingOrders } from '../parts/orders/held-order-store.ts';
import { NotLoaded } from '../parts/read/not-loaded.tsx';
import { durationLabel } from './duration-label.ts';
import { LateHoldingOrders } from './late-holding-orders.tsx';
import { netResult } from './net-result.ts';
import { OptionResults } from './results.tsx';
import './order-records.css';

/** `#/pages/Option/orderRecord/orderRecord`: open orders, and the results of past ones. */
export default function OrderRecords() {
  const { t } = useText();
  const { query, redirect, address } = useNavigation();
  const tab = query.get('tab') === 'history' ? 'history' : 'holding';
  const path = address.split('?')[0] ?? address;
  return (
    <div className="page">
      <Totals />
      <HideAmountsHead>
        <Tabs
          label={t('screen.option_records')}
          value={tab}
          onChange={(chosen) => redirect(path, { tab: chosen })}
          panelId="records"
          tabs={[
            { value: 'holding', label: t('option.holding') },
            { value: 'history', label: t('option.history') },
          ]}
        />
      </HideAmountsHead>
      <div
        id="records"
        role="tabpanel"
        aria-label={t(tab === 'holding' ? 'option.holding' : 'option.history')}
        className="stack"
      >
        {tab === 'holding' ? <Holding /> : <History />}
      </div>
    </div>
  );
}

function Totals() {
  const { t, presentation } = useText();
  const { data, isError } = useRead(readOptionTotals, {});
  const hidden = useAreAmountsHidden();
  const figures = [
    {
      name: t('option.total_profit'),
      value: data && <Money amount={data.profit} signed toned exact hidden={hidden} />,
    },
    { name: t('option.total_today'), value: data && <Money amount={data.today} signed toned exact hidden={hidden} /> },
    { name: t('option.total_staked'), value: data && <Money amount={data.staked} exact hidden={hidden} /> },
    {
      name: t('option.total_won_lost'),
      value:
        data &&
        `${formatDecimalText(String(data.won), presentation)} / ${formatDecimalText(String(data.lost), presentation)}`,
    },
  ];
  return (
    <Card className="record-totals num">
      {figures.map(({ name, value }) => (
        <div key={name}>
          <div className="cap">{name}</div>
          <b>{value ?? (isError ? '–' : <Skeleton width={64} height={18} />)}</b>
        </div>
      ))}
    </Card>
  );
}

function Holding() {
  const texts = useText();
  const { t } = texts;
  const { navigate } = useNavigation();
  const { orders, error, retry } = useHoldingOrders();
  const areAmountsHidden = useAreAmountsHidden();
  useLiveTickers();
  return (
    <>
      {orders === undefined ? (
        <Card tight>
          <NotLoaded read={{ error, refetch: retry }} rows={3} />
        </Card>
      ) : orders.length === 0 ? (
        <Card>
          <EmptyState
            picture="option"
            title={t('option.none_holding')}
            action={{ label: t('option.start_trading'), onPress: () => navigate('/pages/Option/Option') }}
          />
        </Card>
      ) : (
        <LateHoldingOrders
          orders={orders}
          areAmountsHidden={areAmountsHidden}
          onPress={(order) => navigate('/pages/Option/orderRecord/receipt', { id: order.id })}
        />
      )}
      <OptionResults />
    </>
  );
}

function History() {
  const texts = useText();
  const { t } = texts;
  const { navigate } = useNavigation();
  const query = useReadPages(listOptions, { status: 'history' });
  const rows = rowsOfPages(query.data);
  if (rows.length === 0) {
    return (
      <Card tight>
        <NoRows
          list={query}
          none={
            <EmptyState
              picture="list"
              title={t('option.none_history')}
              action={{ label: t('option.start_trading'), onPress: () => navigate('/pages/Option/Option') }}
            />
          }
        />
      </Card>
    );
  }
  return (
    <>
      <Card tight>
        {rows.map((order) => (
          <Record
            key={order.id}
            order={order}
            onPress={() => navigate('/pages/Option/orderRecord/receipt', { id: order.id })}
          />
        ))}
      </Card>
      <ListEnd list={query} />
    </>
  );
}

const TONES: Record<OptionOrder['status'], BadgeTone> = {
  holding: 'brand',
  won: 'success',
  lost: 'danger',
  tie: 'plain',
  void: 'warn',
  sold: 'plain',
};

const MARKS: Partial<Record<OptionOrder['status'], IconName>> = {
  won: 'check',
  lost: 'minus',
  tie: 'equal',
  void: 'refresh',
  sold: 'swap',
};

function Record({ order, onPress }: { order: OptionOrder; onPress: () => void }) {
  const { t, presentation } = useText();
  const isUp = order.direction === 'up';
  const net = netResult(order);
  const hidden = useAreAmountsHidden();
  return (
    <button type="button" className="record" onClick={onPress}>
      <CoinMark code={order.name} />
      <span className="record-what">
        <span className="record-title">
          <b>{order.name}</b>
          <span className={isUp ? 'record-up' : 'record-down'}>
            <Icon name={isUp ? 'arrow-up' : 'arrow-down'} size={13} />
            {t(isUp ? 'option.up' : 'option.down')}
          </span>
          <Badge tone={TONES[order.status]} mark={MARKS[order.status]}>
            {t(`option.status.${order.status}`)}
          </Badge>
          {order.late?.voided_at && <Badge mark="refresh">{t('option.stake_returned')}</Badge>}
        </span>
        <span className="cap num">
          {formatDate(order.end_time, 'dayTime', presentation)}
          {figureSeparator(presentation)}
          {durationLabel(order.duration, t, presentation)}
        </span>
        <span className="cap num">
          <bdi dir="ltr">
            <PriceText price={order.start_price} /> → <PriceText price={order.end_price} />
          </bdi>
        </span>
      </span>
      <span className="record-money num">
        <b>{net !== null && <Money amount={net} signed toned exact hidden={hidden} />}</b>
        <span className="cap">
          <Money amount={order.quantity} asset="USDT" exact hidden={hidden} />
        </span>
      </span>
    </button>
  );
}
