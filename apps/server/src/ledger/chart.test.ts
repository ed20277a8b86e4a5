import { LANGUAGES } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import { describe, expect, it } from 'vitest';
import { ACCOUNTS, accountNameOf, PURPOSES, type PurposeName, purposeNameOf } from './chart.ts';

describe('the chart of money', () => {
  const seen = Object.entries(PURPOSES).filter(([, { statement }]) => statement !== null);

  it.each(seen)('%s has a text on a customer’s statement in every language', (name) => {
    for (const language of LANGUAGES)
      expect(translate(language, `record.${name}` as Parameters<typeof translate>[1])).toBeTruthy();
  });

  it('gives every purpose that moves a customer’s money a class on the statement', () => {
    for (const [name, { statement, moves }] of Object.entries(PURPOSES))
      for (const { from, to } of moves)
        if ([...from, ...to].some((account) => !ACCOUNTS[account].isHouse)) expect(statement, name).not.toBeNull();
  });

  it('gives each account and each purpose its own code', () => {
    for (const [name, { code }] of Object.entries(ACCOUNTS)) expect(accountNameOf(code)).toBe(name);
    for (const [name, { code }] of Object.entries(PURPOSES)) expect(purposeNameOf(code)).toBe(name as PurposeName);
    expect([accountNameOf(1), purposeNameOf(1000)]).toEqual([undefined, undefined]);
  });
});
