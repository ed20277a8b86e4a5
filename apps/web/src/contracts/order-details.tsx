import { type ContractOrder, type Fill, listFills, type ResultOf, type readContract } from '@sathorn/api';
import { rowsOfPages, useReadPages } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { formatDate, formatPercent } from '@sathorn/text';
import { Badge, Card, CardHead, CoinMark, Icon, ListRow, ProgressBar, useText } from '@sathorn/ui';
import { LateKeptLine } from '../parts/evidence/late-kept-line.tsx';
import { LateOrderMark } from '../parts/evidence/late-order-mark.tsx';
import { ListEnd } from '../parts/list/list-end.tsx';
import { assetFigure } from '../parts/market/asset-figure.ts';
import { NotLoaded } from '../parts/read/not-loaded.tsx';
import { priceFigure } from './contract-figures.ts';
import { dealtShare, restQuantityOf, sizeOf } from './dealt-share.ts';
import { STATUS_TONES } from './order-row.tsx';
import { orderStoryKey } from './order-story-key.ts';
import './order-details.css';

type WholeOrder = ResultOf<typeof readContract>;

/** The order, its history in words, its costs, and every fill. */
export function OrderDetails({ order }: { order: WholeOrder }) {
  const { t, presentation } = useText<'contracts'>();
  const { navigate } = useNavigation();
  const { code } = order;
  const isBuy = order.side === 'buy';
  const asset = (name: string, text: string) => assetFigure(name, text, presentation);
  const price = (text: string | null) => (text === null ? '–' : priceFigure(code, text, presentation));
  const percent = (rate: string) => formatPercent(rate, presentation, { minDecimals: 2 });
  const time = (at: string) => formatDate(at, 'dateTimeSeconds', presentation);
  const share = dealtShare(order);
  return (
    <>
      <Card className="order-hero">
        <p className="order-hero-title">
          <CoinMark code={code} />
          <b className={isBuy ? 'order-buy' : 'order-sell'}>
            {t(isBuy ? 'contracts.buy_coin' : 'contracts.sell_coin', { coin: code })}
          </b>
          <Badge tone={STATUS_TONES[order.status]}>{t(`contracts.status.${order.status}`)}</Badge>
        </p>
        <ProgressBar
          share={share}
          look={order.status === 'cancelled' ? 'brand' : 'success'}
          label={t('contracts.detail.dealt')}
        />
        <p>
          {t(orderStoryKey(order), {
            dealt: asset(code, order.dealt_quantity),
            whole: asset(code, sizeOf(order)),
            rest: asset(code, restQuantityOf(order)),
            average: price(order.dealt_price),
            spent: asset('USDT', order.dealt_amount),
            amount: asset('USDT', order.amount ?? order.dealt_amount),
          })}
        </p>
      </Card>
      <Card tight>
        <ListRow title={t('contracts.type')} value={<Conditions order={order} />} />
        <ListRow
          title={t('contracts.price')}
          value={<Figure>{order.price === null ? t('contracts.market') : price(order.price)}</Figure>}
        />
        {order.amount === null ? (
          <ListRow title={t('contracts.quantity')} value={<Figure>{asset(code, order.quantity)}</Figure>} />
        ) : (
          <ListRow title={t('contracts.spend')} value={<Figure>{asset('USDT', order.amount)}</Figure>} />
        )}
        {/[1-9]/.test(order.cut_quantity) && (
          <ListRow title={t('contracts.detail.cut')} value={<Figure>{asset(code, order.cut_quantity)}</Figure>} />
        )}
        <ListRow title={t('contracts.detail.dealt')} value={<Figure>{asset(code, order.dealt_quantity)}</Figure>} />
        <ListRow title={t('contracts.detail.spent')} value={<Figure>{asset('USDT', order.dealt_amount)}</Figure>} />
        <ListRow title={t('contracts.average')} value={<Figure>{price(order.dealt_price)}</Figure>} />
        <ListRow
          title={t('contracts.detail.fee')}
          note={t('contracts.detail.rates', {
            maker: percent(order.maker_fee_rate),
            taker: percent(order.taker_fee_rate),
          })}
          value={<Figure>{asset(order.fee_asset, order.fee)}</Figure>}
        />
        {/[1-9]/.test(order.held) && (
          <ListRow title={t('contracts.detail.held')} value={<Figure>{asset(order.held_asset, order.held)}</Figure>} />
        )}
      </Card>
      <LateKeptLine about="order" id={order.id} />
      {order.waiting === null && order.recurring === null && <LateOrderMark id={order.id} />}
      <Card>
        <CardHead title={t('contracts.fills')} />
        {order.fills.length === 0 ? (
          <p className="muted">{t('contracts.fills_none')}</p>
        ) : (
          order.fills.map((fill) => <FillRow key={fill.id} fill={fill} />)
        )}
        {order.fills_next && <OlderFills key={order.fills_next} order={order.id} from={order.fills_next} />}
      </Card>
      <Card tight>
        <ListRow title={t('contracts.detail.placed_at')} value={time(order.created_at)} />
        <ListRow title={t('contracts.detail.updated_at')} value={time(order.updated_at)} />
        {order.waiting && (
          <ListRow
            title={t('contracts.detail.waiting')}
            note={<bdi className="mono">{order.waiting}</bdi>}
            onPress={() => navigate('/pages/contracts/waitingDetails', { id: order.waiting ?? '' })}
          />
        )}
        {order.recurring && (
          <ListRow
            title={t('contracts.detail.recurring')}
            onPress={() => navigate('/pages/contracts/recurring', { id: order.recurring ?? '' })}
          />
        )}
        {order.replaces && (
          <ListRow title={t('contracts.detail.replaces')} note={<bdi className="mono">{order.replaces}</bdi>} />
        )}
        <ListRow title={t('contracts.detail.number')} note={<bdi className="mono">{order.id}</bdi>} />
      </Card>
    </>
  );
}

/**
 * The remaining fills of a long list. When the first page changes, this list starts again, so that no fill is lost
 * between the two.
 */
function OlderFills({ order, from }: { order: string; from: string }) {
  const list = useReadPages(listFills, { order, page: from, limit: '100' }, { freshForMs: Number.POSITIVE_INFINITY });
  if (list.data)
    return (
      <>
        {rowsOfPages(list.data).map((fill) => (
          <FillRow key={fill.id} fill={fill} />
        ))}
        <ListEnd list={list} />
      </>
    );
  return <NotLoaded read={list} rows={3} />;
}

function FillRow({ fill }: { fill: Fill }) {
  const { t, presentation } = useText<'contracts'>();
  const asset = (name: string, text: string) => assetFigure(name, text, presentation);
  return (
    <div className="order-fill num">
      <span>
        <bdi dir="ltr">
          {priceFigure(fill.code, fill.price, presentation)} × {asset(fill.code, fill.quantity)}
        </bdi>
        <b>
          <bdi>{asset('USDT', fill.amount)}</bdi>
        </b>
      </span>
      <span className="cap">
        <span>
          {t(`contracts.role.${fill.role}`)}
          {fill.with_house && (
            <span className="order-fill-house">
              <Icon name="company" size={13} />
              <span className="unseen">{t('contracts.house')}</span>
            </span>
          )}
        </span>
        <span>{t('contracts.fill_fee', { fee: asset(fill.fee_asset, fill.fee) })}</span>
      </span>
      <span className="cap">{formatDate(fill.at, 'dateTimeSeconds', presentation)}</span>
    </div>
  );
}

/** When space is short, the unit moves below the figure, and neither is broken. */
function Figure({ children }: { children: string }) {
  return (
    <b className="order-figure">
      <bdi>{children.replace('\u00a0', ' ')}</bdi>
    </b>
  );
}

function Conditions({ order }: { order: ContractOrder }) {
  const { t } = useText<'contracts'>();
  const type = t(order.type === 'market' ? 'contracts.market' : 'contracts.limit');
  const condition = order.post_only
    ? t('contracts.post_only')
    : order.type === 'limit' || order.tif === 'FOK'
      ? t(`contracts.tif.${order.tif}`)
      : null;
  return (
    <>
      <b>{type}</b>
      {condition && <span className="cap order-condition">{condition}</span>}
    </>
  );
}
