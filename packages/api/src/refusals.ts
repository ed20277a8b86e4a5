/** Refusals that the edge can make for any call; a call lists only its own. */
export const COMMON_REFUSALS = [
  'malformed_request',
  'session_required',
  'too_many_requests',
  'idempotency_key_reused',
  'money_halted',
  'not_built_yet',
] as const;
export type CommonRefusal = (typeof COMMON_REFUSALS)[number];

/** Refusals that the edge can make for any operator's call. */
export const OPERATOR_REFUSALS = ['role_missing'] as const;
export type OperatorRefusal = (typeof OPERATOR_REFUSALS)[number];

/** Refusals of any decision by one or two operators. */
export const DECISION_REFUSALS = [
  'approval_unknown',
  'already_decided',
  'already_voted',
  'approval_expired',
  'fingerprint_stale',
  'maker_cannot_check',
  'conflict_of_interest',
  'role_missing',
  'step_up_required',
  'step_up_expired',
  'vote_unsigned',
  'votes_unsigned',
  'after_restoration',
] as const;
export type DecisionRefusal = (typeof DECISION_REFUSALS)[number];

/** Of a proposal that its maker signs. Without `step_up` the refusal names `op`, `id` and `fingerprint` to confirm. */
export const PROPOSED_REFUSALS = ['step_up_required', 'step_up_expired', 'vote_unsigned'] as const;

/** The refusals of a customer's own limits. */
export const PLAY_REFUSALS = [
  'self_excluded',
  'time_out',
  'limit_time_day',
  'limit_stake_option',
  'limit_stake_day',
  'limit_loss_day',
  'limit_loss_week',
  'limit_loss_month',
] as const;

/** Faults of a single field. `packages/text` has their sentences under `field.*`. */
export const FIELD_FAULTS = [
  'required',
  'malformed',
  'duplicate',
  'unknown',
  'too_long',
  'too_short',
  'amount_malformed',
  'price_malformed',
  'asset_unknown',
  'coin_required',
  'coin_unknown',
  'choice_unknown',
  'phone_malformed',
  'email_malformed',
  'code_malformed',
  'password_format',
  'password_common',
  'paypass_format',
  'paypass_common',
  'username_format',
  'nickname_format',
  'invite_code_format',
  'passwords_differ',
  'agreement_required',
  'credentials_required',
  'id_malformed',
  'hash_malformed',
] as const;
export type FieldFault = (typeof FIELD_FAULTS)[number];
