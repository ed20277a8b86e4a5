import { showToast } from '@sathorn/app/shell';
import { useText } from '@sathorn/ui';
import { useEffect } from 'react';
import { assetFigure } from '../parts/market/asset-figure.ts';
import { priceFigure } from './contract-figures.ts';
import { useOwnOrderStore } from './own-order-store.ts';

/** Announces the end of each resting order once. */
export function useOrderNews(): void {
  const { t, presentation } = useText<'contracts'>();
  const news = useOwnOrderStore((own) => own.news);
  useEffect(() => {
    if (news.length === 0) return;
    for (const order of news) {
      const values = {
        coin: order.code,
        dealt: assetFigure(order.code, order.dealt_quantity, presentation),
        average: order.dealt_price === null ? '–' : priceFigure(order.code, order.dealt_price, presentation),
      };
      if (order.status === 'filled') showToast(t('contracts.now_filled', values), 'success', { durationMs: 4000 });
      else if (order.reason === 'self_trade')
        showToast(t('contracts.now_cancelled', values), 'plain', { durationMs: 4000 });
    }
    useOwnOrderStore.setState({ news: [] });
  }, [news, t, presentation]);
}
