import type { PushKind } from '@sathorn/api';

/**
 * All kinds of notices with the values in their sentences. Times (`at`, `until`, `…_at`) are ISO 8601 and are formatted
 * for the reader; the brand's name needs no value. The sentences are `messages.<template>.title` and `.content` in
 * `text`.
 */
export interface Templates {
  welcome: Record<never, never>;
  /** Sent when a session was opened from a device that this customer had not used before. */
  sign_in: { device: string; address: string; at: string };
  password_changed: { at: string };
  /** Sent when the password was reset with a verification code, without the old one. */
  password_reset: { at: string };
  paypass_changed: { at: string };
  paypass_locked: { until: string };
  contact_changed: { at: string };
  /** Frozen by staff, until a fixed time. */
  account_frozen: { until: string };
  /** `name` is the work name of the operator who wrote the text. */
  from_staff: { name: string; text: string };
  option_void: { coin: string; amount: string; at: string };
  /** Lost to a price that was published very late: the customer may have it void until `until`. */
  option_late: { coin: string; amount: string; until: string };
  dispute_opened: { order: string; deadline_at: string };
  dispute_answered: { order: string; answer: string };
  /** `order` is the number of the deposit, the withdrawal or the correction. */
  money_dispute_opened: { order: string; deadline_at: string };
  /** A correction by two people; `order` is its number. A debit is announced before it takes effect. */
  correction_charged_twice: { order: string; amount: string };
  correction_fee_wrong: { order: string; amount: string };
  correction_settlement_fault: { order: string; amount: string };
  correction_deposit_lost: { order: string; amount: string };
  correction_kept_receipt: { order: string; amount: string };
  correction_goodwill: { order: string; amount: string };
  correction_announced: { order: string; amount: string; until: string };
  correction_taken: { order: string; amount: string };
  correction_stopped: { order: string };
  wallet_added: { name: string; at: string; until: string };
  card_added: { name: string; at: string; until: string };
  payee_removed: { name: string; at: string };
  primary_verified: { at: string };
  advanced_verified: { at: string };
  certification_sent_back: { at: string };
  certification_refused: { at: string };
  second_factor_on: { at: string };
  second_factor_off: { at: string };
  /** `left`: how many recovery codes remain. */
  recovery_code_used: { at: string; left: string };
  passkey_added: { name: string; at: string };
  passkey_removed: { name: string; at: string };
  /** A device whose key signs the customer's orders. */
  device_key_added: { device: string; at: string };
  device_key_removed: { device: string; at: string };
  /** A key with which programs read or trade for the customer. */
  api_key_added: { name: string; at: string };
  api_key_removed: { name: string; at: string };
  anti_phishing_changed: { at: string };
  /**
   * Somebody who knows the login password asked to remove the second factor. It is removed at `until` unless the
   * customer stops it.
   */
  factor_reset_asked: { device: string; address: string; until: string };
  factor_reset_soon: { until: string };
  factor_reset_stopped: { at: string };
  factor_reset_done: { at: string };
  frozen_by_you: { at: string; until: string };
  unfrozen_by_you: { at: string };
  deposit_credited: { order: string; amount: string };
  /** The bank transfer has another amount than the order. */
  deposit_credited_other: { order: string; amount: string; came: string; ordered: string };
  deposit_reversed: { order: string; amount: string };
  /** `gained`: profit made with the deposit. `left`: withdrawals that only the deposit and its profit paid for. */
  deposit_reversed_used: { order: string; amount: string; gained: string; left: string };
  deposit_returned: { order: string };
  /** `amount` is the part that the house had to pay. */
  deposit_shortfall: { order: string; amount: string; until: string };
  shortfall_repaid: Record<string, never>;
  deposit_kept: { order: string };
  deposit_sent_back: { order: string };
  deposit_case_opened: { order: string };
  deposit_unrecoverable: { order: string };
  /** A price alert was triggered: the customer's price, and the tick's time. */
  price_above: { coin: string; amount: string; at: string };
  price_below: { coin: string; amount: string; at: string };
  /** A tick triggered a waiting order: the index's price and time. It went to the book, or the book refused it. */
  order_triggered: { coin: string; order: string; amount: string; at: string };
  order_not_placed: { coin: string; order: string; amount: string; at: string };
  /** A regular purchase was skipped; its record says why. */
  recurring_skipped: { coin: string; amount: string; at: string };
  /** A lock-up ended and was renewed, or was not; `subject` is the number of days. */
  lockup_renewed: { subject: string; amount: string };
  lockup_not_renewed: { subject: string; amount: string };
  /** A standing order subscribed a deposit, or skipped it. */
  deposit_subscribed: { amount: string };
  deposit_not_subscribed: { amount: string };
  own_limit_set: { at: string };
  /** A raised limit takes effect at this time. */
  own_limit_raise: { until: string };
  time_out_begun: { until: string };
  self_exclusion_begun: { until: string };
  withdrawal_done: { order: string; amount: string };
  withdrawal_returned: { order: string; amount: string };
  /** `subject` is the number of days; `now` and `next` are daily rates in percent. */
  terms_lockup: { subject: string; at: string; now: string; next: string };
  terms_liquidity: { at: string };
  /** `subject` is the coin. */
  terms_option: { subject: string; at: string };
  terms_coin: { subject: string; at: string };
  terms_fee: { at: string };
  terms_withdrawal: { at: string };
  terms_level: { at: string };
  terms_other: { at: string };
  /** Sent when customer service has answered and the app was closed. */
  support_answered: Record<never, never>;
}

export type Template = keyof Templates;

export const TEMPLATE_NAMES = [
  'welcome',
  'sign_in',
  'password_changed',
  'password_reset',
  'paypass_changed',
  'paypass_locked',
  'contact_changed',
  'account_frozen',
  'from_staff',
  'option_void',
  'option_late',
  'dispute_opened',
  'dispute_answered',
  'money_dispute_opened',
  'correction_charged_twice',
  'correction_fee_wrong',
  'correction_settlement_fault',
  'correction_deposit_lost',
  'correction_kept_receipt',
  'correction_goodwill',
  'correction_announced',
  'correction_taken',
  'correction_stopped',
  'wallet_added',
  'card_added',
  'payee_removed',
  'primary_verified',
  'advanced_verified',
  'certification_sent_back',
  'certification_refused',
  'second_factor_on',
  'second_factor_off',
  'recovery_code_used',
  'passkey_added',
  'passkey_removed',
  'device_key_added',
  'device_key_removed',
  'api_key_added',
  'api_key_removed',
  'anti_phishing_changed',
  'factor_reset_asked',
  'factor_reset_soon',
  'factor_reset_stopped',
  'factor_reset_done',
  'frozen_by_you',
  'unfrozen_by_you',
  'deposit_credited',
  'deposit_credited_other',
  'deposit_reversed',
  'deposit_reversed_used',
  'deposit_returned',
  'deposit_shortfall',
  'shortfall_repaid',
  'deposit_kept',
  'deposit_sent_back',
  'deposit_case_opened',
  'deposit_unrecoverable',
  'price_above',
  'price_below',
  'order_triggered',
  'order_not_placed',
  'recurring_skipped',
  'lockup_renewed',
  'lockup_not_renewed',
  'deposit_subscribed',
  'deposit_not_subscribed',
  'own_limit_set',
  'own_limit_raise',
  'time_out_begun',
  'self_exclusion_begun',
  'withdrawal_done',
  'withdrawal_returned',
  'terms_lockup',
  'terms_liquidity',
  'terms_option',
  'terms_coin',
  'terms_fee',
  'terms_withdrawal',
  'terms_level',
  'terms_other',
  'support_answered',
] as const satisfies readonly Template[];

/** Notices that an attacker would imitate; they contain the customer's anti-phishing word. */
export const SECURITY_TEMPLATES: ReadonlySet<string> = new Set<Template>([
  'sign_in',
  'password_changed',
  'password_reset',
  'paypass_changed',
  'paypass_locked',
  'contact_changed',
  'account_frozen',
  'from_staff',
  'wallet_added',
  'card_added',
  'payee_removed',
  'second_factor_on',
  'second_factor_off',
  'recovery_code_used',
  'passkey_added',
  'passkey_removed',
  'device_key_added',
  'device_key_removed',
  'api_key_added',
  'api_key_removed',
  'anti_phishing_changed',
  'factor_reset_asked',
  'factor_reset_soon',
  'factor_reset_stopped',
  'factor_reset_done',
  'frozen_by_you',
  'unfrozen_by_you',
  'withdrawal_done',
]);

/** Notices that are also pushed to customers' devices. `security` cannot be turned off there. */
export const PUSHED_TEMPLATES: ReadonlyMap<string, PushKind | 'security'> = new Map<Template, PushKind | 'security'>([
  ['sign_in', 'security'],
  ['password_changed', 'security'],
  ['password_reset', 'security'],
  ['paypass_changed', 'security'],
  ['paypass_locked', 'security'],
  ['contact_changed', 'security'],
  ['account_frozen', 'security'],
  ['wallet_added', 'security'],
  ['card_added', 'security'],
  ['payee_removed', 'security'],
  ['second_factor_on', 'security'],
  ['second_factor_off', 'security'],
  ['recovery_code_used', 'security'],
  ['passkey_added', 'security'],
  ['passkey_removed', 'security'],
  ['device_key_added', 'security'],
  ['device_key_removed', 'security'],
  ['api_key_added', 'security'],
  ['api_key_removed', 'security'],
  ['anti_phishing_changed', 'security'],
  ['factor_reset_asked', 'security'],
  ['factor_reset_soon', 'security'],
  ['factor_reset_stopped', 'security'],
  ['factor_reset_done', 'security'],
  ['frozen_by_you', 'security'],
  ['unfrozen_by_you', 'security'],
  ['price_above', 'prices'],
  ['price_below', 'prices'],
  ['order_triggered', 'money'],
  ['order_not_placed', 'money'],
  ['recurring_skipped', 'money'],
  ['lockup_renewed', 'money'],
  ['lockup_not_renewed', 'money'],
  ['deposit_subscribed', 'money'],
  ['deposit_not_subscribed', 'money'],
  ['deposit_credited', 'money'],
  ['deposit_credited_other', 'money'],
  ['deposit_reversed', 'money'],
  ['deposit_reversed_used', 'money'],
  ['deposit_returned', 'money'],
  ['deposit_shortfall', 'money'],
  ['shortfall_repaid', 'money'],
  ['deposit_kept', 'money'],
  ['deposit_sent_back', 'money'],
  ['withdrawal_done', 'money'],
  ['withdrawal_returned', 'money'],
  ['option_void', 'money'],
  ['option_late', 'money'],
  ['correction_charged_twice', 'money'],
  ['correction_fee_wrong', 'money'],
  ['correction_settlement_fault', 'money'],
  ['correction_deposit_lost', 'money'],
  ['correction_kept_receipt', 'money'],
  ['correction_goodwill', 'money'],
  ['correction_announced', 'money'],
  ['correction_taken', 'money'],
  ['correction_stopped', 'money'],
  ['support_answered', 'answers'],
  ['dispute_answered', 'answers'],
  ['from_staff', 'answers'],
  ['primary_verified', 'answers'],
  ['advanced_verified', 'answers'],
  ['certification_sent_back', 'answers'],
  ['certification_refused', 'answers'],
]);

export function isTemplate(name: string): name is Template {
  return (TEMPLATE_NAMES as readonly string[]).includes(name);
}
