import { expect, it } from 'vitest';
import { CALLS } from './calls.ts';
import { contractOf } from './testing-contract.ts';

// A line that goes, or a field that is no longer optional, breaks programs of others: say so in the review, then update
// the file with `vitest -u`. A line that is added breaks nobody.
it('keeps what programs with an API key rely on', async () => {
  await expect(contractOf(Object.values(CALLS))).toMatchFileSnapshot('../contract.txt');
});
