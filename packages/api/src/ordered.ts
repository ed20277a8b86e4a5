/**
 * The calls by which customers order something, which their devices sign. Calls are named by their route here, so that
 * the app need not load the tables of all of them.
 */

/** `shown`: the signed text contains the fields. `hidden`: they are private, so it contains only a commitment. */
const ORDERED: Readonly<Record<string, 'shown' | 'hidden'>> = {
  'POST /coin/order/add': 'shown',
  'POST /coin/order/sell': 'shown',
  'POST /coin/recur/add': 'shown',
  'POST /coin/trans/add': 'shown',
  'POST /coin/trans/amend': 'shown',
  'POST /coin/wait/add': 'shown',
  'POST /coin/wait/amend': 'shown',
  'POST /coin/wait/pair': 'shown',
  'POST /yuebao/standing/deposits': 'shown',
  'POST /yuebao/standing/renew': 'shown',
  'POST /yuebao/transfer/in': 'shown',
  'POST /yuebao/transfer/out': 'shown',
  'POST /users/extract': 'shown',
  'POST /users/bank/add': 'hidden',
};
export const ORDERED_ROUTES: readonly string[] = Object.keys(ORDERED);

/** Null for a call that is not signed. */
export const orderedAs = ({ method, path }: { readonly method: string; readonly path: string }) =>
  ORDERED[`${method} ${path}`] ?? null;

/** `<text in base64url>.<signature in hex>`, and for hidden fields `.<salt in hex>`. */
export const ORDERED_HEADER = 'Ordered';

/**
 * Passwords and codes. They are in no text and no digest that is kept, because with the other fields known they could
 * be guessed from it.
 */
export const SECRET_FIELDS: ReadonlySet<string> = new Set(['paypass', 'otp']);

/** The fields that a device signs. An empty field counts as missing, as everywhere. */
export const orderedFields = (fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([name, text]) => text !== '' && !SECRET_FIELDS.has(name)));

/** Refusals that the edge makes for a signed call. */
export const ORDERED_REFUSALS = ['device_key_unknown', 'order_signature_wrong'] as const;
