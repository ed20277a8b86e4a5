import { expect, test } from 'vitest';
import { approvalAskedFor } from './approval-asked-for.ts';

const ID = '8a5c';
test.each([
  ['/admin/products/propose', { id: ID, status: 'waiting', fingerprint: 'f', kind: 'product' }, ID],
  ['/admin/products/propose', { id: ID, status: 'expired', fingerprint: 'f' }, null],
  ['/admin/customers/lift', { approval: ID }, ID],
  ['/admin/operators/invite', { approval: ID, link: 'x' }, ID],
  // Another person's proposal, on which this operator votes.
  ['/admin/approvals/approve', { id: ID, status: 'waiting', fingerprint: 'f' }, null],
  ['/admin/disputes/propose', { id: 'd', status: 'waiting', approval: { id: ID, fingerprint: 'f' } }, ID],
  ['/admin/disputes/claim', { id: 'd', status: 'waiting', approval: { id: ID, fingerprint: 'f' } }, null],
  ['/admin/voting_keys/ask', { approval: ID }, null],
  ['/admin/claims/take', {}, null],
  ['/admin/claims/take', null, null],
])('%s answers %j: %s can be taken back', (path, answer, approval) => {
  expect(approvalAskedFor({ path }, answer)).toBe(approval);
});
