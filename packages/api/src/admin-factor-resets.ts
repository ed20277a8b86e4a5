import * as v from 'valibot';
import { approvalShape } from './admin-approvals.ts';
import { call } from './call.ts';
import { choiceOf, isoTime, uuid } from './fields.ts';

const READERS = ['support', 'compliance', 'admin'] as const;

const factorResetLine = v.object({
  id: v.string(),
  customer: v.object({ id: v.string(), username: v.string() }),
  asked_at: isoTime,
  due_at: isoTime,
  state: v.picklist(['waiting', 'stopped', 'rejected', 'done', 'lapsed']),
  ended_at: v.nullable(isoTime),
  /** What stopped it: an open session of the customer, the anti-phishing word, a use of the factor, or staff. */
  stopped_by: v.nullable(v.picklist(['session', 'word', 'factor', 'staff'])),
});
export type FactorResetLine = v.InferOutput<typeof factorResetLine>;

export const listFactorResets = call('GET /admin/customers/factor_resets', {
  who: 'operator',
  roles: READERS,
  summary: 'Removals of a second factor that customers have asked for: those that wait, or those that have ended.',
  request: v.object({ status: v.optional(choiceOf(['waiting', 'ended'])) }),
  result: v.object({ items: v.array(factorResetLine) }),
});

const factorResetCase = v.object({
  ...factorResetLine.entries,
  device: v.string(),
  /** The network part of the address only. */
  address: v.string(),
  /** True if the customer had signed in from this device, or this network, before. */
  is_known_device: v.boolean(),
  is_known_network: v.boolean(),
  authenticator_since: v.nullable(isoTime),
  passkeys: v.number(),
  recovery_codes: v.number(),
  factor_used_at: v.nullable(isoTime),
  password_changed_at: v.nullable(isoTime),
  /** The latest change of a password, a contact or a second factor after the registration. */
  credentials_changed_at: v.nullable(isoTime),
  has_word: v.boolean(),
  open_sessions: v.number(),
  session_used_at: v.nullable(isoTime),
  /** Masked. */
  contacts: v.array(v.string()),
  earlier: v.array(factorResetLine),
  approval: approvalShape,
});
export type FactorResetCase = v.InferOutput<typeof factorResetCase>;

export const readFactorReset = call('GET /admin/customers/factor_reset', {
  who: 'operator',
  roles: READERS,
  summary: 'One removal of a second factor with its evidence. Opening it is an entry that the customer can read.',
  request: v.object({ id: uuid }),
  result: factorResetCase,
  refusals: ['reset_unknown'],
});
