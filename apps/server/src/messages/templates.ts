/**
 * Every kind of notice, with the values that its sentences name. Times (`at`, `until`, `…_at`) are ISO 8601 and are
 * worded in the reader's language; the brand's name needs no value. The sentences are `messages.<template>.title` and
 * `.content` in `text`.
 */
export interface Templates {
  welcome: Record<never, never>;
  /** A session was opened from a device that this customer has not used before. */
  sign_in: { device: string; address: string; at: string };
  password_changed: { at: string };
  /** Sent when the password was reset with a verification code, without the old one. */
  password_reset: { at: string };
  paypass_changed: { at: string };
  paypass_locked: { until: string };
  contact_changed: { at: string };
  /** By staff; it ends by itself. */
  account_frozen: { until: string };
  option_void: { coin: string; amount: string; at: string };
  dispute_opened: { order: string; deadline_at: string };
  dispute_answered: { order: string; answer: string };
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
  'option_void',
  'dispute_opened',
  'dispute_answered',
] as const satisfies readonly Template[];

export function isTemplate(name: string): name is Template {
  return (TEMPLATE_NAMES as readonly string[]).includes(name);
}
