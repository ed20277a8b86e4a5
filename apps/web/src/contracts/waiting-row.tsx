import type { WaitingOrder } from '@sathorn/api';
import { figureSeparator, formatDate } from '@sathorn/text';
import { Badge, type BadgeTone, HIDDEN_AMOUNT, useText } from '@sathorn/ui';
import { assetFigure } from '../parts/market/asset-figure.ts';
import { priceFigure, quantityFigure } from './contract-figures.ts';
import './order-row.css';

export const WAITING_TONES: Record<WaitingOrder['status'], BadgeTone> = {
  waiting: 'warn',
  triggered: 'success',
  refused: 'danger',
  cancelled: 'plain',
};

interface WaitingRowProps {
  order: WaitingOrder;
  areAmountsHidden?: boolean;
  isRevoking: boolean;
  onPress: () => void;
  onRevoke: () => void;
}

/** One order that waits or waited: its trigger, what it becomes, and the button that revokes it. */
export function WaitingRow({ order, areAmountsHidden = false, isRevoking, onPress, onRevoke }: WaitingRowProps) {
  const { t, presentation } = useText<'waiting' | 'contracts'>();
  const { code } = order;
  const isBuy = order.side === 'buy';
  const price = (text: string) => priceFigure(code, text, presentation);
  const size =
    order.quantity === null
      ? assetFigure('USDT', order.amount ?? '0', presentation)
      : quantityFigure(code, order.quantity, presentation);
  return (
    <div className="order-row">
      <button type="button" className="order-row-what" onClick={onPress}>
        <span className="order-row-title">
          <b>
            <span className={isBuy ? 'order-buy' : 'order-sell'}>
              {t(isBuy ? 'contracts.bought' : 'contracts.sold')}
            </span>{' '}
            {code} {t(`waiting.kind.${order.trigger}`)}
          </b>
          <Badge tone={WAITING_TONES[order.status]}>{t(`waiting.status.${order.status}`)}</Badge>
          <span className="order-row-time cap num">{formatDate(order.created_at, 'dayTime', presentation)}</span>
        </span>
        <span className="order-row-figures cap num">
          <span>
            <bdi>{t(`waiting.when_${order.trigger_when}`, { price: price(order.trigger_price) })}</bdi>
          </span>
          {figureSeparator(presentation)}
          <span>
            {order.price === null ? t('contracts.market') : t('contracts.row_price', { price: price(order.price) })}
          </span>
          {figureSeparator(presentation)}
          <span>{areAmountsHidden ? HIDDEN_AMOUNT : size}</span>
        </span>
      </button>
      {order.status === 'waiting' && (
        <button
          type="button"
          className="order-row-revoke"
          aria-busy={isRevoking || undefined}
          aria-disabled={isRevoking || undefined}
          onClick={onRevoke}
        >
          {t('contracts.revoke')}
          <span className="unseen">
            {' '}
            {code} {price(order.trigger_price)}
          </span>
        </button>
      )}
    </div>
  );
}
