import { money } from '@sathorn/money';
import { describe, expect, it } from 'vitest';
import type { Funds } from '../../ledger/index.ts';
import { repayKind } from './deposit-kinds.ts';

const ended: bigint[] = [];
const noted: string[] = [];
const kind = repayKind({
  audit: {
    append: async (_transaction: unknown, { what }: { what: string }) => {
      noted.push(what);
      return 0n;
    },
  } as never,
  freezes: { freeze: async () => undefined, end: async (_transaction, customer) => void ended.push(customer) },
});
const at = new Date('2036-01-01T00:00:00Z');
const decide = (owed: bigint, available: bigint) => {
  const funds: Funds = { available: () => available, held: () => 0n };
  return kind.decide({ customer: 101n, owed: money('USDT', owed), at }, funds, { now: at } as never);
};

describe('a customer who owes the house for a reversed deposit', () => {
  it.each([
    [10n, 4n, '4'],
    [10n, 10n, '10'],
    [10n, 25n, '10'],
  ])('of %i with %i available repays %s', (owed, available, units) => {
    expect(decide(owed, available)).toMatchObject({
      ok: true,
      effect: { answer: { units }, transfers: [{ units: BigInt(units), code: 'shortfall_repaid' }] },
    });
  });

  it('repays nothing with nothing', () => expect(decide(10n, 0n)).toMatchObject({ refusal: 'exceeds_balance' }));

  it.each([
    ['4', []],
    ['10', [101n]],
  ])('is unfrozen with the last unit: of 10, %s', async (units, unfrozen) => {
    ended.length = 0;
    noted.length = 0;
    const command = { customer: 101n, owed: money('USDT', 10n), at };
    const accepted = [{ command, intent: { id: 'r', digest: '' }, answer: { units }, sequences: [1n] }];
    await Promise.all(kind.write?.({ query: async () => [] } as never, { accepted } as never) ?? []);
    expect(ended).toEqual(unfrozen);
    expect(noted).toEqual(unfrozen.map(() => 'customer.unfrozen'));
  });
});
