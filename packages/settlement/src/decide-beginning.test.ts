import { describe, expect, it } from 'vitest';
import { type BeginningRequest, decideBeginning } from './decide-beginning.ts';
import { refuse } from './decision.ts';

const free: BeginningRequest = { pause: null, ownBreak: null, cover: null, unconsented: null };
const cover = { isTestMoney: false, owed: 1n, counted: { units: 1n, asOfMs: 0 }, nowMs: 0 };

describe('what begins something new', () => {
  it('is allowed if nothing forbids it, with the reserve covered to the unit', () =>
    expect(decideBeginning({ ...free, cover }).ok).toBe(true));
  // Each row adds one more fault, from the last check to the first: the earliest check must win.
  const spoiled: BeginningRequest[] = [];
  it.each<[string, Partial<BeginningRequest>, Record<string, string>?]>([
    ['consent_required', { unconsented: 'options' }, { product: 'options' }],
    ['coin_not_covered', { cover: { ...cover, owed: 2n } }],
    ['coin_not_counted', { cover: { ...cover, counted: null } }],
    ['time_out', { ownBreak: refuse('time_out', { params: { until: 'tomorrow' } }) }, { until: 'tomorrow' }],
    ['paused', { pause: 'repairs' }, { text: 'repairs' }],
  ])('is refused as %s before any later reason', (refusal, change, params) => {
    spoiled.push({ ...(spoiled.at(-1) ?? free), ...change });
    for (const asked of [{ ...free, ...change }, spoiled.at(-1) ?? free])
      expect(decideBeginning(asked)).toMatchObject({ ok: false, refusal, ...(params && { params }) });
  });
});
