import * as v from 'valibot';
import { call } from './call.ts';
import { listOf, pageOf, time } from './fields.ts';

/** The finding follows from the recomputation; no person chooses it. */
export const DISPUTE_FINDINGS = ['recomputed_same', 'void_by_rule', 'fault_confirmed'] as const;
export const disputeFinding = v.picklist(DISPUTE_FINDINGS);

const ownDispute = v.object({
  id: v.string(),
  /** The id of the disputed option order. */
  order: v.string(),
  statement: v.string(),
  status: v.picklist(['open', 'second_look', 'closed']),
  opened_at: time,
  deadline: time,
  finding: v.nullable(disputeFinding),
  answer: v.nullable(v.string()),
  answered_at: v.nullable(time),
  /** The work names of both reviewers. */
  reviewers: v.array(v.string()),
});
export type OwnDispute = v.InferOutput<typeof ownDispute>;

export const listOwnDisputes = call('GET /users/disputes', {
  who: 'customer',
  summary:
    'Disputes of this customer, newest first: how far each is, and its answer once two people have agreed to it.',
  request: v.object({ page: pageOf('[0-9]{13}\\.[0-9a-f-]{36}') }),
  result: listOf(ownDispute),
});
