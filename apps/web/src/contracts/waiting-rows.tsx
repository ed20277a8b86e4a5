import { listWaiting, type WaitingOrder } from '@sathorn/api';
import { rowsOfPages, useReadPages } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { Card, CardHead, ErrorState, useText } from '@sathorn/ui';
import type { ReactNode } from 'react';
import { ListEnd } from '../parts/list/list-end.tsx';
import { RevokeAll } from './revoke-all.tsx';
import { useRevokeWaiting } from './use-revoke-waiting.ts';
import { useWaitingOrders } from './use-waiting-orders.ts';
import { WaitingRow } from './waiting-row.tsx';
import { WaitingTexts } from './waiting-texts.tsx';

interface WaitingRowsProps {
  /** Undefined for all coins. */
  code: string | undefined;
  status: 'open' | 'history' | 'all';
  side?: '' | 'buy' | 'sell';
  areAmountsHidden?: boolean;
  /** True within a card, which then needs no second one. */
  isInside?: boolean;
}

/** Orders that wait or waited, above those of the book. Nothing is shown if there are none. */
export default function WaitingRows(props: WaitingRowsProps) {
  // Most customers have no such orders, so nothing is shown that would push the others down and go again.
  return (
    <WaitingTexts waiting={null}>
      {props.status === 'open' ? <OpenRows {...props} /> : <PastRows {...props} />}
    </WaitingTexts>
  );
}

function OpenRows({ code, side = '', areAmountsHidden, isInside = false }: WaitingRowsProps) {
  const { t } = useText<'waiting'>();
  const texts = useText();
  const { waiting, isFailed, refetch } = useWaitingOrders();
  const shown = waiting?.filter(
    (order) => (code === undefined || order.code === code) && (side === '' || order.side === side),
  );
  if (isFailed)
    return (
      <Card tight>
        <ErrorState
          title={texts.t('REQUEST_ERROR')}
          action={{ label: texts.t('shell.try_again'), onPress: () => void refetch() }}
        />
      </Card>
    );
  if (!shown || shown.length === 0) return null;
  return (
    <Frame isInside={isInside}>
      <CardHead title={t('waiting.section')} />
      {side === '' && shown.length > 1 && <RevokeAll code={code} />}
      <Rows orders={shown} areAmountsHidden={areAmountsHidden} />
    </Frame>
  );
}

function PastRows({ code, status, side = '', areAmountsHidden, isInside = false }: WaitingRowsProps) {
  const { t } = useText<'waiting'>();
  const list = useReadPages(listWaiting, { status, ...(code === undefined ? {} : { code }) }, { freshForMs: 0 });
  const shown = list.data ? rowsOfPages(list.data).filter((order) => side === '' || order.side === side) : [];
  if (shown.length === 0) return null;
  return (
    <>
      <Frame isInside={isInside}>
        <CardHead title={t(status === 'history' ? 'waiting.section_history' : 'waiting.section')} />
        <Rows orders={shown} areAmountsHidden={areAmountsHidden} />
      </Frame>
      <ListEnd list={list} />
    </>
  );
}

const Frame = ({ isInside, children }: { isInside: boolean; children: ReactNode }) =>
  isInside ? <div className="waiting-inside">{children}</div> : <Card tight>{children}</Card>;

function Rows({
  orders,
  areAmountsHidden,
}: {
  orders: readonly WaitingOrder[];
  areAmountsHidden?: boolean | undefined;
}) {
  const { navigate } = useNavigation();
  const { revoke, revoking } = useRevokeWaiting();
  return orders.map((order) => (
    <WaitingRow
      key={order.id}
      order={order}
      areAmountsHidden={areAmountsHidden ?? false}
      isRevoking={revoking === order.id}
      onRevoke={() => void revoke(order)}
      onPress={() => navigate('/pages/contracts/waitingDetails', { id: order.id })}
    />
  ));
}
