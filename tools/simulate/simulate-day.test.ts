import { openTestDatabase, runAsOwner } from '@sathorn/server/database/testing';
import { expect, it } from 'vitest';
import { BrokenDayError, simulateDay } from './simulate-day.ts';

it('keeps every invariant, and repeats the same day for the same seed', async () => {
  const days = [];
  for (let run = 0; run < 2; run++)
    days.push(await simulateDay(await openTestDatabase(), { seed: 'a test', steps: 20, customers: 6 }));
  const [day, again] = days;
  expect(day?.digest).toBe(again?.digest);
  expect(day?.counts).toEqual(again?.counts);
  expect(day?.counts.get('option: accepted')).toBeGreaterThan(0);
  expect(day?.counts.get('limit order: accepted')).toBeGreaterThan(0);
  expect(day?.counts.get('options settled')).toBeGreaterThan(0);
});

it('reports the step that broke an invariant, and the command that repeats it', async () => {
  const database = await openTestDatabase();
  const day = simulateDay(database, {
    seed: 'a theft',
    steps: 10,
    customers: 3,
    onStep: async (step) => {
      if (step === 4)
        await runAsOwner(
          database.owner,
          `ALTER TABLE ledger.account DISABLE TRIGGER ALL;
           UPDATE ledger.account SET credits_posted = credits_posted + 1 WHERE owner = 2 AND asset = 'USDT' AND code = 1000`,
        );
    },
  });
  await expect(day).rejects.toThrow(BrokenDayError);
  await expect(day).rejects.toThrow(/step 5 of seed a theft[\s\S]*I1[\s\S]*--seed a theft --steps 6/);
});
