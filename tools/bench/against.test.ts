import { describe, expect, it } from 'vitest';
import { goalSharesOf, listFallenShares } from './against.ts';

const figure = { name: 'purchases', value: '', ratio: '', goal: '' };

describe('the comparison of shares with earlier ones', () => {
  it('reports shares that fell by more than a tenth, and none that rose, varied or were not measured', () => {
    const before = { purchases: 0.6, orders: 0.5, accruals: 2, start: 1, idle: 1 };
    const now = { purchases: 0.5, orders: 0.46, accruals: 3, start: 0.9 };
    expect(listFallenShares(before, now)).toEqual(['purchases fell from 0.6 to 0.5, by 17%']);
  });

  it('includes only figures with a named share', () => {
    expect(goalSharesOf([figure, { ...figure, share: ['purchases', 0.5849] }])).toEqual({ purchases: 0.58 });
  });
});
