import * as v from 'valibot';
import { fingerprint, operatorShape, stepUpId, workName } from './admin-fields.ts';
import { call, OPERATOR_ROLES } from './call.ts';
import { emptyResult, fieldFault, isoTime, noFields, remarkText, uuid } from './fields.ts';
import { PROPOSED_REFUSALS } from './refusals.ts';

const operatorId = v.pipe(
  v.string(fieldFault('required')),
  v.regex(/^[1-9][0-9]{0,17}$/, fieldFault('id_malformed')),
  v.transform((digits) => BigInt(digits)),
);
/** Comma-separated roles. */
const roles = v.pipe(
  v.string(fieldFault('required')),
  v.transform((joined) => [...new Set(joined.split(',').filter(Boolean))].toSorted()),
  v.minLength(1, fieldFault('required')),
  v.array(v.picklist(OPERATOR_ROLES, fieldFault('choice_unknown'))),
);
const reason = remarkText(500);

const listedOperator = v.object({
  ...operatorShape.entries,
  state: v.picklist(['active', 'invited', 'frozen', 'removed']),
  /** The number of passkeys. */
  devices: v.number(),
  recovery_codes: v.number(),
  sessions: v.number(),
  seen_at: v.nullable(isoTime),
  /** The end of the one-time link's validity. */
  enrol_until: v.nullable(isoTime),
  /** The end of the delay that strangers' failed attempts put on this operator's sign-ins from unknown networks. */
  delayed_until: v.nullable(isoTime),
  /** Changes that wait for a second administrator. */
  waiting: v.array(v.object({ kind: v.string(), approval: uuid })),
  /** Identifies the state that the operator saw; a decision must repeat it. */
  fingerprint: v.string(),
});
export type ListedOperator = v.InferOutput<typeof listedOperator>;

export const listOperators = call('GET /admin/operators/lists', {
  who: 'operator',
  roles: ['admin'],
  summary: 'Everybody of the console: roles, devices, when last there, and what waits for a second person.',
  request: noFields,
  result: v.array(listedOperator),
});

/** The link that the maker passes on. It works once, and only with the approver's code. */
const asked = v.object({ approval: uuid, link: v.string() });

export const inviteOperator = call('POST /admin/operators/invite', {
  who: 'operator',
  roles: ['admin'],
  summary:
    'Ask for a new operator, confirmed by `step_up`. When another administrator has approved, the link of the answer works for 24 hours, once, with the checker’s code. It is shown this once.',
  request: v.object({
    work_name: workName,
    roles,
    /** The operator's own customer account, about which they must never decide. */
    customer: v.optional(v.pipe(v.string(), v.regex(/^[1-9][0-9]{9}$/, fieldFault('id_malformed')))),
    reason,
    step_up: stepUpId,
  }),
  result: asked,
  refusals: ['name_taken', 'already_waiting', 'customer_unknown', ...PROPOSED_REFUSALS],
});

const changeRefusals = ['operator_unknown', 'own_role', 'already_waiting', ...PROPOSED_REFUSALS] as const;

export const changeRoles = call('POST /admin/operators/role', {
  who: 'operator',
  roles: ['admin'],
  summary: 'Ask for other roles of an operator, confirmed by `step_up`; another administrator approves.',
  request: v.object({ id: operatorId, roles, reason, step_up: stepUpId }),
  result: v.object({ approval: uuid }),
  refusals: [...changeRefusals, 'last_admin', 'nothing_changes'],
});

export const renewAccess = call('POST /admin/operators/device', {
  who: 'operator',
  roles: ['admin'],
  summary:
    'Ask for a new start of an operator who lost their device, confirmed by `step_up`: when another administrator has approved, everything they signed in with ends, and the link of the answer works as that of an invitation.',
  request: v.object({ id: operatorId, reason, step_up: stepUpId }),
  result: asked,
  refusals: changeRefusals,
});

export const unfreezeOperator = call('POST /admin/operators/unfreeze', {
  who: 'operator',
  roles: ['admin'],
  summary: 'Ask for a frozen operator to work again, confirmed by `step_up`; another administrator approves.',
  request: v.object({ id: operatorId, reason, step_up: stepUpId }),
  result: v.object({ approval: uuid }),
  refusals: [...changeRefusals, 'nothing_changes'],
});

const stopping = {
  who: 'operator',
  roles: ['admin'],
  request: v.object({ id: operatorId, reason, fingerprint, step_up: stepUpId }),
  result: listedOperator,
} as const;
const stopRefusals = [
  'operator_unknown',
  'own_role',
  'role_missing',
  'fingerprint_stale',
  'step_up_required',
  'step_up_expired',
  'nothing_changes',
  'last_admin',
] as const;

export const freezeOperator = call('POST /admin/operators/freeze', {
  ...stopping,
  summary: 'Freeze another operator: every session ends at once. Working again takes two administrators.',
  refusals: stopRefusals,
});

export const removeOperator = call('POST /admin/operators/remove', {
  ...stopping,
  summary: 'Remove another operator for good: every session ends at once. Two administrators have to remain.',
  refusals: stopRefusals,
});

export const readEnrolmentCode = call('POST /admin/operators/code', {
  who: 'operator',
  roles: ['admin'],
  summary:
    'The code that the checker of an invitation hands over. The maker has the link, the checker the code: neither of them can enrol in the other’s place.',
  request: v.object({ approval: uuid }),
  result: v.object({ work_name: v.string(), code: v.string(), until: isoTime }),
  refusals: ['approval_unknown', 'enrolment_over'],
});

export const liftSignInDelay = call('POST /admin/operators/lift_delay', {
  who: 'operator',
  roles: ['admin'],
  summary:
    'Forget wrong attempts to sign in under an operator’s name, so that they can sign in from a new network at once.',
  request: v.object({ id: operatorId, reason }),
  result: emptyResult,
  refusals: ['operator_unknown', 'nothing_changes'],
});
