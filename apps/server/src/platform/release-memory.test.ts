import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MODULE = new URL('./release-memory.ts', import.meta.url).href;
/** Keeps the objects of each round until the next, which makes V8 enlarge the young generation. */
const SCRIPT = `
  const { setYoungGenerationGrowth, youngGenerationBytes } = await import(process.env.MODULE);
  let kept = [];
  const fill = () => {
    for (let round = 0; round < 40; round += 1) kept = Array.from({ length: 60_000 }, (_, n) => ({ n, text: 'x' + n }));
    return youngGenerationBytes();
  };
  setYoungGenerationGrowth(false);
  const quiet = fill();
  setYoungGenerationGrowth(true);
  console.log(JSON.stringify([quiet, fill(), kept.length]));
`;

test('the young generation of a quiet process stays small, and grows when it may', () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    encoding: 'utf8',
    env: { ...process.env, MODULE },
  });
  const [quiet, busy] = JSON.parse(printed) as [number, number];
  expect(quiet).toBeLessThan(8_000_000);
  expect(busy).toBeGreaterThan(16_000_000);
});
