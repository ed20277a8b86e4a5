import type { ContractOrder } from '@sathorn/api';
import { useText } from '@sathorn/ui';
import { assetFigure } from '../parts/market/asset-figure.ts';
import { priceFigure } from './contract-figures.ts';

/** Returns a function that describes the immediate result of an order. */
export function usePlacedOrderText(): (order: ContractOrder) => string {
  const { t, presentation } = useText<'contracts'>();
  return (order) => {
    const values = {
      dealt: assetFigure(order.code, order.dealt_quantity, presentation),
      whole: assetFigure(order.code, order.quantity, presentation),
      average: order.dealt_price === null ? '–' : priceFigure(order.code, order.dealt_price, presentation),
    };
    if (order.status !== 'cancelled') return t(`contracts.placed.${order.status}`, values);
    return t(order.dealt_price === null ? 'contracts.placed.none' : 'contracts.placed.some', values);
  };
}
