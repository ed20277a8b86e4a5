/**
 * `npm run simulate -- [--seed TEXT] [--steps 720] [--customers 20]`
 *
 * Simulates a day from one seed, on its own clock and a temporary database, and checks every invariant after each step.
 * The same seed repeats the same day, so a fault can be reproduced. Exits with 1 if an invariant is violated.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { openOwnCluster } from '@sathorn/server/database/testing';
import { BrokenDayError, simulateDay } from './simulate-day.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: randomBytes(4).toString('hex') },
    steps: { type: 'string', default: '720' },
    customers: { type: 'string', default: '20' },
  },
});
const steps = Number(values.steps);
const customers = Number(values.customers);
if (!Number.isSafeInteger(steps) || steps < 1 || !Number.isSafeInteger(customers) || customers < 1)
  throw new RangeError('--steps and --customers are whole numbers from 1 on');

console.log(`A day of ${customers} customers in ${steps} steps, seed ${values.seed}`);
const cluster = await openOwnCluster({ fsync: 'off', synchronous_commit: 'off' });
try {
  const began = performance.now();
  const { counts, digest } = await simulateDay(cluster, {
    seed: values.seed,
    steps,
    customers,
    onStep: (step) => {
      if ((step + 1) % 60 === 0)
        console.log(`  step ${step + 1}, ${Math.round((performance.now() - began) / 1_000)} s`);
    },
  });
  for (const [what, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) console.log(`  ${count} × ${what}`);
  console.log(`Every invariant held. ${digest}`);
} catch (error) {
  if (!(error instanceof BrokenDayError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
process.exit();
