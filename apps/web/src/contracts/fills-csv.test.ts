import type { Fill } from '@sathorn/api';
import { expect, test } from 'vitest';
import { fillsCsv } from './fills-csv.ts';

const fill = (id: string, at: string, more: Partial<Fill> = {}): Fill => ({
  id,
  order: 'BTC-7',
  code: 'BTC',
  side: 'buy',
  role: 'taker',
  price: '95209.81',
  quantity: '0.01000000',
  amount: '952.098100',
  fee: '0.00001500',
  fee_asset: 'BTC',
  with_house: true,
  at,
  ...more,
});

test('every column is filled, oldest first', () => {
  const csv = fillsCsv([
    fill('f2', '2026-11-21T07:00:02.500Z', {
      side: 'sell',
      role: 'maker',
      fee: '1.428148',
      fee_asset: 'USDT',
      with_house: false,
    }),
    fill('f1', '2026-11-21T07:00:01.000Z'),
  ]);
  expect(csv).toBe(
    [
      'time_utc,order_id,fill_id,coin,side,role,price_usdt,quantity,amount_usdt,fee,fee_asset,with_house',
      '2026-11-21T07:00:01.000Z,BTC-7,f1,BTC,buy,taker,95209.81,0.01000000,952.098100,0.00001500,BTC,true',
      '2026-11-21T07:00:02.500Z,BTC-7,f2,BTC,sell,maker,95209.81,0.01000000,952.098100,1.428148,USDT,false',
      '',
    ].join('\r\n'),
  );
});

test('the header exists without fills, and values that would break a row are quoted', () => {
  expect(fillsCsv([]).split('\r\n')).toHaveLength(2);
  expect(fillsCsv([fill('a"b,c', '2026-11-21T07:00:01.000Z')])).toContain(',"a""b,c",');
});
