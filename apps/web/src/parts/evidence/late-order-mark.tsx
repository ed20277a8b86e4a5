import { Late, renderNothing } from '@sathorn/app/late';

const loadMark = () => import('./order-mark.tsx');

interface OrderMarkProps {
  id: string;
  /** The ids of a whole list, which is then asked for at once. */
  among?: readonly string[];
}

/** A line that says which device signed an order, a withdrawal or a payee. */
export function LateOrderMark({ id, among = [id] }: OrderMarkProps) {
  return (
    <Late load={loadMark} failed={renderNothing}>
      {(OrderMark) => <OrderMark key={id} id={id} among={among} />}
    </Late>
  );
}
