import { money } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import { openSealer } from '../../platform/sealing.ts';
import type { DepositRow } from './deposit-store.ts';
import { matchTermsOfLines } from './match-terms.ts';
import { promisedOrderId } from './promised-rate.ts';

describe('what a line credits', () => {
  const sealer = openSealer(Buffer.alloc(32, 1), 'deposits');
  const module = { sealer, bahtRate: async () => ({ units: 35_000_000n, source: 'test', at: new Date(0) }) };
  const promised = {
    customer_id: 7n,
    channel: 'promptpay',
    baht: money('THB', 100_000n),
    rate: 33_000_000n,
    rate_until: new Date(60_000),
  };
  const order = { ...promised, id: promisedOrderId(sealer, promised) } as DepositRow;
  const line = { amount: money('THB', 100_000n), at: new Date(30_000) };
  const usdtOf = async (row: DepositRow) => {
    const [terms] = await matchTermsOfLines(module, row, [line]);
    return terms?.ok ? terms.effect.amount.units : terms;
  };

  it('is the promised rate of an order that this server wrote, and today’s for one that somebody else wrote', async () => {
    expect(await usdtOf(order)).toBe(30_303_030n);
    // Of ฿1,000 it would make 10,000 USDT.
    for (const forged of [{ rate: 100_000n }, { rate_until: new Date(90_000) }, { customer_id: 8n }])
      expect(await usdtOf({ ...order, ...forged })).toBe(28_429_282n);
  });
});
