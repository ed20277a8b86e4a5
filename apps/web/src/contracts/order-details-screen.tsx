import { readContract } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { Late } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { Button, Card, ErrorState, Skeleton, useText } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import { ContractTexts } from './contract-texts.tsx';
import { OrderDetails } from './order-details.tsx';
import { useOwnOrderStore } from './own-order-store.ts';
import { isNewerOrder, isOpenOrder } from './own-orders.ts';
import { useOrderNews } from './use-order-news.ts';
import { useOwnOrders } from './use-own-orders.ts';
import { useRevokeOrder } from './use-revoke-order.ts';

const loadAmend = () => import('./amend-sheet.tsx');

/** One order, live while it is open. */
export default function OrderDetailsScreen() {
  return (
    <ContractTexts>
      <Details />
    </ContractTexts>
  );
}

function Details() {
  const { t } = useText<'contracts'>();
  const texts = useText();
  const { query, navigate, redirect } = useNavigation();
  const id = query.get('id') ?? '';
  const { data, error, refetch } = useRead(readContract, { id }, { freshForMs: 0, enabled: id !== '' });
  const { revoke, revoking } = useRevokeOrder();
  const [isAmending, setAmending] = useState(false);
  const closeAmend = () => setAmending(false);
  useOwnOrders();
  useOrderNews();
  const now = useOwnOrderStore((own) => own.byId[id]);
  const order = data && now && isNewerOrder(now, data) ? { ...data, ...now } : data;

  // A streamed fill updates the order but not its list of fills, so the list is read again.
  const dealt = now?.dealt_quantity;
  useEffect(() => {
    if (dealt !== undefined) void refetch();
  }, [dealt, refetch]);

  if (id === '' || (error && !data)) {
    return (
      <div className="page">
        <Card>
          <ErrorState
            title={error ? failureText(error.failure, texts) : t('contracts.detail.not_loaded')}
            // When the server does not know the id, a retry would not help.
            action={
              id === '' || error?.failure.isAnswered
                ? { label: texts.t('screen.contract_orders'), onPress: () => redirect('/pages/contracts/orderList') }
                : { label: texts.t('shell.try_again'), onPress: () => void refetch() }
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
          <Skeleton height={120} />
        </Card>
        <Card>
          <Skeleton height={420} />
        </Card>
      </div>
    );
  }
  return (
    <div className="page">
      <OrderDetails order={order} />
      {isOpenOrder(order) && (
        <Button look="soft" onClick={() => setAmending(true)}>
          {t('contracts.change')}
        </Button>
      )}
      {isOpenOrder(order) && (
        <Button look="danger" busy={revoking === order.id} onClick={() => void revoke(order)}>
          {t('contracts.revoke')}
        </Button>
      )}
      <Button
        look={isOpenOrder(order) ? 'soft' : 'brand'}
        onClick={() => navigate('/pages/contracts/contracts', { code: order.code })}
      >
        {t('contracts.start_trading')}
      </Button>
      <Late load={loadAmend} sheet={{ open: isAmending, onClose: closeAmend }}>
        {(AmendSheet) => (
          <AmendSheet
            open={isAmending}
            order={order}
            onClose={closeAmend}
            onAmended={(next) => redirect('/pages/contracts/orderDetails', { id: next })}
          />
        )}
      </Late>
    </div>
  );
}
