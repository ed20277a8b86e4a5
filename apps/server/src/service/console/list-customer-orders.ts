import { type ContractOrder, listCustomerOrders, type OptionOrder } from '@sathorn/api';
import { scaleOf } from '@sathorn/money';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ConsoleModule } from './console.ts';
import { hasRole } from './has-role.ts';
import { amountBandOfText } from './mask.ts';

const lineOfOption = (order: OptionOrder) => ({
  id: order.id,
  at: order.start_time,
  ended_at: order.profit === null ? null : order.end_time,
  coin: order.name,
  side: order.direction,
  size: { amount: order.quantity, asset: 'USDT' },
  price: order.start_price,
  status: order.status,
  result: order.profit === null ? null : { amount: order.profit, asset: 'USDT' },
});

const lineOfContract = (order: ContractOrder) => ({
  id: order.id,
  at: order.created_at,
  ended_at: Number(order.held) > 0 ? null : order.updated_at,
  coin: order.code,
  side: order.side,
  size: { amount: order.quantity, asset: order.code },
  price: order.dealt_price ?? order.price,
  status: order.status,
  result: { amount: order.dealt_amount, asset: 'USDT' },
});

export function listCustomerOrdersHandler({ customers, options, contracts }: ConsoleModule): Handler {
  return handle(listCustomerOrders, async ({ operator, request: { id, product, page = null } }) => {
    if (!(await customers.read(id))) return refuse('customer_unknown', { field: 'id' });
    const isExact = hasRole(operator, 'compliance', 'finance', 'admin');
    const found =
      product === 'contracts'
        ? await contracts.list(id, { status: 'all', coin: null, side: null, page })
        : await options.list(id, { status: product === 'holding' ? 'holding' : 'history', coin: null, page });
    const shown = <Money extends { amount: string; asset: string } | null>(money: Money): Money =>
      money === null || isExact
        ? money
        : { ...money, amount: amountBandOfText(money.amount, scaleOf(money.asset as Parameters<typeof scaleOf>[0])) };
    return accept({
      items: found.items.map((order) => {
        const line = 'direction' in order ? lineOfOption(order) : lineOfContract(order);
        return { ...line, size: shown(line.size), result: shown(line.result), is_band: !isExact };
      }),
      next: found.next,
    });
  });
}
