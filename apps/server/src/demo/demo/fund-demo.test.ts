import { randomUUID } from 'node:crypto';
import { ASSETS, type AssetCode, formatMoney, money, parseMoney } from '@sathorn/money';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ledger, openLedger } from '../../ledger/index.ts';
import { Bus } from '../../platform/bus/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { fundDemoHandler } from './fund-demo.ts';
import { DEMO_HOUSE_FUNDINGS, fundDemoHouse } from './fund-house.ts';

describe('test money', () => {
  let test: TestDatabase;
  let ledger: Ledger;
  beforeAll(async () => {
    test = await openTestDatabase();
    ledger = openLedger({ eligibility: null, database: test.database, clock: systemClock, bus: new Bus() }).api;
    await fundDemoHouse(ledger);
  });
  afterAll(() => test.close());

  const ask = (asset: AssetCode, amount: string, customer = 1n) => {
    const intent = { id: randomUUID(), digest: `${asset} ${amount}` };
    const context = { request: { asset, amount }, customer: { id: customer, sessionId: 's' }, intent };
    return fundDemoHandler(ledger).run(context as never);
  };

  it('comes in amounts so small that hundreds of payments hardly empty the fund', async () => {
    for (const asset of Object.keys(ASSETS) as AssetCode[]) {
      const refused = await ask(asset, '1000000000');
      expect(refused).toMatchObject({ ok: false, refusal: 'exceeds_demo_limit', field: 'amount', params: { asset } });
      const max = refused.ok ? '' : (refused.params?.max ?? '');
      const most = parseMoney(asset, max)?.units ?? 0n;
      const fund = DEMO_HOUSE_FUNDINGS.find(([to, of]) => to === 'demo_fund' && of === asset)?.[2] ?? '0';
      expect((parseMoney(asset, fund)?.units ?? 0n) / most, asset).toBeGreaterThanOrEqual(1_000n);
      expect(await ask(asset, max)).toMatchObject({
        ok: true,
        effect: { asset, amount: formatMoney(money(asset, most)) },
      });
    }
  });

  it('is limited to the fund: no payment creates money', async () => {
    const given = await Promise.all(Array.from({ length: 1_001 }, (_, n) => ask('ETH', '100', BigInt(n + 2))));
    // The test above already took one hundred units.
    expect(given.filter(({ ok }) => ok)).toHaveLength(999);
    expect(given.at(-1)).toMatchObject({ ok: false, refusal: 'demo_fund_empty', field: 'amount' });
  });
});
