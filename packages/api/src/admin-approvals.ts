import * as v from 'valibot';
import { decisionNote, fingerprint, staffMember, stepUpId } from './admin-fields.ts';
import { call, OPERATOR_ROLES } from './call.ts';
import {
  boundedText,
  choiceOf,
  emptyResult,
  id,
  isoTime,
  noFields,
  pagedListOf,
  pageField,
  remarkText,
  TIME_AND_UUID,
  uuid,
} from './fields.ts';
import { DECISION_REFUSALS } from './refusals.ts';

const APPROVAL_STATUSES = ['waiting', 'approved', 'rejected', 'withdrawn', 'expired', 'stale', 'stopped'] as const;

/** Everything that a second person decides. The console has a component for each kind. */
export const APPROVAL_KINDS = [
  'certification_refusal',
  'content',
  'correction',
  'deposit_match',
  'deposit_recovery',
  'dispute_answer',
  'factor_reset',
  'freeze_extend',
  'freeze_lift',
  'incident_close',
  'money_dispute_answer',
  'offer',
  'operator_device',
  'operator_invite',
  'operator_role',
  'operator_unfreeze',
  'pause_end',
  'payout_foreign',
  'payout_release',
  'payout_return',
  'ready_answer',
  'restoration_end',
  'voting_key',
  'withdrawal',
  'withdrawal_failed',
  'withdrawal_lost',
  'withdrawal_paid',
] as const;
export type ApprovalKindName = (typeof APPROVAL_KINDS)[number];

export const approvalShape = v.object({
  id: v.string(),
  kind: v.picklist(APPROVAL_KINDS),
  subject: v.string(),
  /** The order number of the deposit or withdrawal; null for other subjects. */
  number: v.nullable(v.string()),
  /** The customer concerned. */
  customer: v.nullable(v.object({ id: v.string(), username: v.string() })),
  /** Exactly what is approved, as names and values. The fingerprint is computed from this. */
  content: v.record(v.string(), v.unknown()),
  fingerprint: v.string(),
  need: v.number(),
  roles: v.array(v.string()),
  reason: v.nullable(v.string()),
  /** Null when a customer made the request. */
  made_by: v.nullable(staffMember),
  made_at: isoTime,
  expires_at: v.nullable(isoTime),
  /** When it takes effect; null if it does so with the last vote. */
  effective_from: v.nullable(isoTime),
  status: v.picklist(APPROVAL_STATUSES),
  decided_at: v.nullable(isoTime),
  stopped: v.nullable(v.object({ by: staffMember, at: isoTime })),
  /** True if it is approved but not yet in effect, so that one person may stop it. */
  may_stop: v.boolean(),
  votes: v.array(
    v.object({
      by: staffMember,
      decision: v.picklist(['approve', 'reject']),
      role: v.string(),
      at: isoTime,
      /** The kind of key that signed the vote; null for an unsigned vote, which does not count. */
      signed_by: v.nullable(v.picklist(['passkey', 'device', 'demo'])),
      /** True for a vote from before votes were signed. Its author may confirm it again. */
      may_sign: v.boolean(),
    }),
  ),
  /** Why this operator may not vote now; null when they may. */
  refusal: v.nullable(v.string()),
  /** The page on which operators decide it: the approvals page or the page of its subject. */
  decided_on: v.picklist(['approvals', 'subject']),
});
export type ApprovalView = v.InferOutput<typeof approvalShape>;

const CHECKERS = ['compliance', 'finance', 'admin'] as const;

export const listApprovals = call('GET /admin/approvals/lists', {
  who: 'operator',
  roles: CHECKERS,
  summary: 'What waits for a second person, and what was decided.',
  request: v.object({
    status: v.optional(choiceOf(['waiting', 'made', 'decided'])),
    kind: v.optional(boundedText(1, 40)),
    page: pageField(TIME_AND_UUID),
  }),
  result: v.object({
    ...pagedListOf(approvalShape).entries,
    counts: v.object({ waiting: v.number(), made: v.number() }),
  }),
});

export const readApproval = call('GET /admin/approvals/info', {
  who: 'operator',
  roles: CHECKERS,
  summary: 'One approval, whole.',
  request: v.object({ id: uuid }),
  result: approvalShape,
  refusals: ['approval_unknown'],
});

const decision = { id: uuid, fingerprint, note: decisionNote, step_up: stepUpId };

export const approveApproval = call('POST /admin/approvals/approve', {
  who: 'operator',
  roles: CHECKERS,
  summary: 'Approve; with the last approval that it needs, it takes effect in the same transaction.',
  request: v.object(decision),
  result: approvalShape,
  refusals: [...DECISION_REFUSALS, 'decided_on_subject', 'subject_changed'],
});

export const rejectApproval = call('POST /admin/approvals/reject', {
  who: 'operator',
  roles: CHECKERS,
  summary: 'Reject; one person is enough, and nothing happens.',
  request: v.object({ ...decision, reason: remarkText(500) }),
  result: approvalShape,
  refusals: [...DECISION_REFUSALS, 'decided_on_subject'],
});

export const signVote = call('POST /admin/approvals/sign', {
  who: 'operator',
  roles: CHECKERS,
  summary: 'Confirm an own vote of before votes were signed. It decides nothing anew.',
  request: v.object({ id: uuid, fingerprint, step_up: stepUpId }),
  result: approvalShape,
  refusals: [
    'approval_unknown',
    'fingerprint_stale',
    'already_voted',
    'role_missing',
    'step_up_required',
    'step_up_expired',
    'vote_unsigned',
  ],
});

export const withdrawApproval = call('POST /admin/approvals/withdraw', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Take back what one has asked for.',
  request: v.object({ id: uuid }),
  result: emptyResult,
  refusals: ['approval_unknown'],
});

export const stopApproval = call('POST /admin/approvals/stop', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Stop what was approved before it takes effect: one person is enough, the maker or whoever may decide it.',
  request: v.object({ id: uuid, reason: remarkText(500) }),
  result: approvalShape,
  refusals: ['approval_unknown', 'already_effective', 'role_missing'],
});

// Claims help operators to avoid working on the same case. They grant nothing: versions and votes protect the case.

export const CLAIM_KINDS = ['withdrawal', 'deposit', 'certification', 'approval'] as const;
const claimed = v.object({ by: staffMember, since: isoTime, until: isoTime });
const claiming = { kind: choiceOf(CLAIM_KINDS), id };

export const listClaims = call('GET /admin/claims', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Who works on what, now.',
  request: noFields,
  result: v.array(v.object({ kind: v.string(), id: v.string(), ...claimed.entries })),
});
export const takeClaim = call('POST /admin/claims/take', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Take a case, or keep it: it lapses after two minutes.',
  request: v.object(claiming),
  result: claimed,
  refusals: ['taken_by_other'],
});
export const leaveClaim = call('POST /admin/claims/leave', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Let go of a case.',
  request: v.object(claiming),
  result: emptyResult,
});
export const takeOverClaim = call('POST /admin/claims/take_over', {
  who: 'operator',
  roles: OPERATOR_ROLES,
  summary: 'Take a case from somebody else, with a reason that they read.',
  request: v.object({ ...claiming, reason: remarkText(200) }),
  result: claimed,
});
