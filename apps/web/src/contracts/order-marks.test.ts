import type { ContractOrder } from '@sathorn/api';
import { expect, test } from 'vitest';
import { orderMarks } from './order-marks.ts';

const order = (side: 'buy' | 'sell', price: string | null, quantity: string, dealt = '0'): ContractOrder =>
  ({ side, price, quantity, cut_quantity: '0', dealt_quantity: dealt }) as ContractOrder;

test('orders at one price and side become one mark with their open quantity', () => {
  const marks = orderMarks(
    [
      order('buy', '64000.00', '0.5', '0.2'),
      order('buy', '64000', '0.1'),
      order('sell', '64000.00', '1'),
      order('sell', '65000.00', '2'),
      order('buy', null, '3'),
    ],
    (side, quantity) => `${side} ${quantity}`,
  );
  expect(marks).toEqual([
    { kind: 'order', side: 'buy', price: '64000.00', label: 'buy 0.40000000' },
    { kind: 'order', side: 'sell', price: '64000.00', label: 'sell 1.00000000' },
    { kind: 'order', side: 'sell', price: '65000.00', label: 'sell 2.00000000' },
  ]);
});
