import { type APIRequestContext, expect } from '@playwright/test';

/** Returns a price on the coin's book in thousandths of its index. Limit orders much further away are refused. */
export async function indexTimes(request: APIRequestContext, code: string, thousandths: bigint): Promise<string> {
  let price: string | null = null;
  await expect
    .poll(async () => {
      const answer = await request.get('/api/coin/data/rate', { params: { code } });
      price = (await answer.json()).data.price;
      return price;
    })
    .not.toBeNull();
  const cents = (BigInt(Math.round(Number(price) * 100)) * thousandths) / 1000n;
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}
