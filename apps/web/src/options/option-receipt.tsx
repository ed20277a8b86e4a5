import { CallFault, failureText } from '@sathorn/app/client';
import { Late, renderNothing } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { formatDate } from '@sathorn/text';
import { Badge, Button, Card, ErrorState, ListRow, Skeleton, useText } from '@sathorn/ui';
import { useState } from 'react';
import { LateOrderMark } from '../parts/evidence/late-order-mark.tsx';
import { useLiveTickers } from '../parts/market/tickers.ts';
import { useHoldingOrders } from '../parts/orders/held-order-store.ts';
import { ReceiptChecks } from '../parts/receipt/receipt-checks.tsx';
import { useReceiptVerdict } from '../parts/receipt/use-receipt-verdict.ts';
import { downloadReceipt } from './download-receipt.ts';
import { LateHoldingOrders } from './late-holding-orders.tsx';
import { ResultView } from './result-view.tsx';
import { useReceipt } from './use-receipt.ts';

const loadDisputeSheet = () => import('./dispute-sheet.tsx');
const loadSellOption = () => import('./sell-option.tsx');
const loadLatePrice = () => import('./late-price.tsx');
const loadSaveEvidence = () => import('../parts/receipt/save-kept-evidence.tsx');

/** One order with its receipt: every figure and check, the file to save, and a button to open a dispute. */
export default function OptionReceiptScreen() {
  const texts = useText();
  const { t, presentation } = texts;
  const { query, navigate, redirect } = useNavigation();
  const { order, isWhole, isFailed, error, refetch } = useReceipt(query.get('id'));
  const {
    verdict,
    error: verdictError,
    retry,
  } = useReceiptVerdict(isWhole ? order?.receipt : null, order?.name ?? null, order ?? null);
  const [isDisputing, setDisputing] = useState(false);
  const closeDispute = () => setDisputing(false);
  useLiveTickers();
  const { orders } = useHoldingOrders();
  const open = orders?.find(({ id }) => id === query.get('id'));

  if (isFailed || query.get('id') === null) {
    const reason = error instanceof CallFault ? failureText(error.failure, texts) : t('option.not_loaded');
    // When the server does not know the id, a retry would not help.
    const isUnknown = query.get('id') === null || (error instanceof CallFault && error.failure.isAnswered);
    return (
      <div className="page">
        <Card>
          <ErrorState
            title={reason}
            action={
              isUnknown
                ? {
                    label: t('screen.option_records'),
                    onPress: () => redirect('/pages/Option/orderRecord/orderRecord'),
                  }
                : { label: t('shell.try_again'), onPress: () => void refetch() }
            }
          />
        </Card>
      </div>
    );
  }
  if (!order) {
    return (
      <div className="page">
        <Card>
          <Skeleton height={170} />
        </Card>
        <Card>
          <Skeleton height={290} />
        </Card>
      </div>
    );
  }
  const { receipt } = order;
  return (
    <div className="page">
      {order.status === 'holding' && <LateHoldingOrders orders={[open ?? order]} />}
      {open?.sale && (
        <Late load={loadSellOption} failed={renderNothing}>
          {(SellOption) => <SellOption order={open} onSold={() => void refetch()} />}
        </Late>
      )}
      <ResultView order={open ? { ...order, start_price: open.start_price } : order} receipt={receipt} />
      {order.late && (
        <Late load={loadLatePrice} failed={renderNothing}>
          {(LatePrice) => <LatePrice order={order} onDone={() => void refetch()} />}
        </Late>
      )}
      {order.status !== 'holding' && (
        <ReceiptChecks verdict={verdict} isFailed={verdictError !== null} onRetry={() => void retry()} />
      )}
      <Card tight>
        <ListRow title={t('option.bought_at')} value={formatDate(order.start_time, 'dateTimeSeconds', presentation)} />
        <ListRow title={t('option.ended_at')} value={formatDate(order.end_time, 'dateTimeSeconds', presentation)} />
        <ListRow title={t('option.order_number')} note={<bdi className="mono">{order.id}</bdi>} />
        {order.origin !== 'live' && (
          <ListRow
            title={t('price.origin')}
            value={<Badge tone="warn">{t(order.origin === 'sim' ? 'price.simulated' : 'price.recorded')}</Badge>}
          />
        )}
        {order.status !== 'holding' && (
          <ListRow
            title={t('dispute.title')}
            value={order.disputed ? <Badge tone="warn">{t('dispute.open')}</Badge> : undefined}
            onPress={() => navigate('/pages/Option/orderRecord/disputes')}
          />
        )}
      </Card>
      <LateOrderMark id={order.id} />
      <Button onClick={() => navigate('/pages/Option/Option', { code: order.name })}>{t('option.trade_again')}</Button>
      {receipt && (
        <Button
          look="soft"
          icon="download"
          onClick={() => {
            downloadReceipt(order.id, receipt);
            showToast(t('shell.download_done'), 'success');
          }}
        >
          {t('option.download_receipt')}
        </Button>
      )}
      <Late load={loadSaveEvidence} failed={renderNothing} />
      {order.status !== 'holding' && !order.disputed && (
        <Button look="soft" onClick={() => setDisputing(true)}>
          {t('dispute.start')}
        </Button>
      )}
      <Late load={loadDisputeSheet} sheet={{ open: isDisputing, onClose: closeDispute }}>
        {(DisputeSheet) => (
          <DisputeSheet id={order.id} open={isDisputing} onClose={closeDispute} onDone={() => void refetch()} />
        )}
      </Late>
    </div>
  );
}
