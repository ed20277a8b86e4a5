import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Call } from './call.ts';
import { CALLS } from './calls.ts';
import { sampleResult } from './testing-results.ts';

describe('a sample of a result', () => {
  it('fits the schema of each call of the console', () => {
    const wrong = Object.entries<Call>(CALLS)
      .filter(([, { who, method }]) => who === 'operator' && method === 'GET')
      .filter(([, { method, path, result }]) => !v.safeParse(result, sampleResult(method, path)).success);
    expect(wrong.map(([name]) => name)).toEqual([]);
  });
});
