import type { WithdrawalRecord } from '@sathorn/api';
import { expect, test } from 'vitest';
import { withdrawalPath } from './withdrawal-path.ts';

const vote = { by: 'Krit', role: 'finance', at: '2026-11-22T07:49:31.000Z' };
const at = '2026-11-22T08:03:20.000Z';

test.each<[string, Partial<WithdrawalRecord>, string]>([
  ['passes by itself', { people: 0, step: 'approved' }, 'held:done sent:now arrived:todo'],
  [
    'waits out its day',
    { people: 1, step: 'delayed', delayed_until: at },
    'held:done delay:now check:todo sent:todo arrived:todo',
  ],
  ['waits for the first', { people: 2, step: 'first_check' }, 'held:done check:now check:todo sent:todo arrived:todo'],
  [
    'waits for the second',
    { people: 2, step: 'second_check', approvals: [vote] },
    'held:done check:done check:now sent:todo arrived:todo',
  ],
  [
    'is in a block',
    { people: 1, step: 'confirming', approvals: [vote], sent_at: at },
    'held:done check:done sent:done arrived:now',
  ],
  ['was sent, and nobody knows more', { people: 0, step: 'sent_unknown' }, 'held:done sent:now arrived:todo'],
  ['arrived', { people: 0, step: 'done', status: 'success', sent_at: at }, 'held:done sent:done arrived:done'],
  [
    'was declined before anybody approved',
    { people: 2, step: 'returned', status: 'failed' },
    'held:done stopped:failed returned:done',
  ],
  [
    'was declined by the bank after it was sent',
    { people: 1, step: 'returned', status: 'failed', approvals: [vote], sent_at: at },
    'held:done check:done sent:done stopped:failed returned:done',
  ],
])('%s', (_, part, path) => {
  const record = {
    status: 'review',
    approvals: [],
    delayed_until: null,
    sent_at: null,
    ...part,
  } as unknown as WithdrawalRecord;
  expect(
    withdrawalPath(record)
      .map(({ key, state }) => `${key}:${state}`)
      .join(' '),
  ).toBe(path);
});
