import type { LockupOrder } from '@sathorn/api';
import { Late, renderNothing } from '@sathorn/app/late';
import { Card, Skeleton } from '@sathorn/ui';

const loadRenewal = () => import('./renewal-card.tsx');
const loadDeposits = () => import('./deposits-row.tsx');

const waiting = (
  <Card>
    <Skeleton height={44} />
  </Card>
);

/** How a lock-up goes on at its end, and from which it was renewed. */
export function LateRenewal({ order, renewedBy }: { order: LockupOrder; renewedBy: string | null }) {
  return (
    <Late load={loadRenewal} waiting={waiting} failed={renderNothing}>
      {(RenewalCard) => <RenewalCard order={order} renewedBy={renewedBy} />}
    </Late>
  );
}

/** A row that leads to the standing order for deposits. */
export function LateDepositsRow() {
  return (
    <Late load={loadDeposits} waiting={waiting} failed={renderNothing}>
      {(DepositsRow) => <DepositsRow />}
    </Late>
  );
}
