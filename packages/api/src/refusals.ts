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

/** Faults of a single field; the texts are in `text`, under `field.*`. */
export const FIELD_FAULTS = [
  'required',
  'malformed',
  'duplicate',
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
