import type { ContractOrder } from '@sathorn/api';
import { figureSeparator, formatDate } from '@sathorn/text';
import { Badge, type BadgeTone, HIDDEN_AMOUNT, Money, useText } from '@sathorn/ui';
import { priceFigure, quantityFigure } from './contract-figures.ts';
import { sizeOf } from './dealt-share.ts';
import { isOpenOrder } from './own-orders.ts';
import './order-row.css';

export const STATUS_TONES: Record<ContractOrder['status'], BadgeTone> = {
  open: 'warn',
  partial: 'brand',
  filled: 'success',
  cancelled: 'plain',
};

interface OrderRowProps {
  order: ContractOrder;
  onPress: () => void;
  /** Called only for an open order. */
  onRevoke: () => void;
  isRevoking: boolean;
  areAmountsHidden?: boolean;
}

/** One order in two lines, always of the same height, with the button that revokes it. */
export function OrderRow({ order, onPress, onRevoke, isRevoking, areAmountsHidden = false }: OrderRowProps) {
  const { t, presentation } = useText<'contracts'>();
  const isBuy = order.side === 'buy';
  const price =
    order.price === null
      ? t('contracts.market')
      : t('contracts.row_price', { price: priceFigure(order.code, order.price, presentation) });
  const quantity = (text: string) =>
    areAmountsHidden ? HIDDEN_AMOUNT : quantityFigure(order.code, text, presentation);
  const figures = { dealt: quantity(order.dealt_quantity), whole: quantity(sizeOf(order)) };
  // An order by amount has no fixed quantity to compare with, so its text gives only the dealt amount.
  const isWhole = order.status === 'filled' || order.amount !== null;
  const dealt = isWhole ? t('contracts.row_all', figures) : t('contracts.row_dealt', figures);
  // Shows the order's creation time, because rows are sorted by it.
  const time = formatDate(order.created_at, 'dayTime', presentation);
  return (
    <div className="order-row">
      <button type="button" className="order-row-what" onClick={onPress}>
        <span className="order-row-title">
          <b>
            <span className={isBuy ? 'order-buy' : 'order-sell'}>
              {t(isBuy ? 'contracts.bought' : 'contracts.sold')}
            </span>{' '}
            {order.code}
          </b>
          <Badge tone={STATUS_TONES[order.status]}>{t(`contracts.status.${order.status}`)}</Badge>
          {isOpenOrder(order) && <span className="order-row-time cap num">{time}</span>}
        </span>
        <span className="order-row-figures cap num">
          <span>{price}</span>
          {figureSeparator(presentation)}
          <span>{dealt}</span>
        </span>
        {!isOpenOrder(order) && (
          <span className="order-row-end num">
            <b>
              <Money amount={order.dealt_amount} asset="USDT" hidden={areAmountsHidden} />
            </b>
            <span className="cap">{time}</span>
          </span>
        )}
      </button>
      {isOpenOrder(order) && (
        <button
          type="button"
          className="order-row-revoke"
          aria-busy={isRevoking || undefined}
          // `disabled` would drop the focus.
          aria-disabled={isRevoking || undefined}
          onClick={onRevoke}
        >
          {t('contracts.revoke')}
          <span className="unseen">
            {' '}
            {order.code} {priceFigure(order.code, order.price ?? '0', presentation)}
          </span>
        </button>
      )}
    </div>
  );
}
