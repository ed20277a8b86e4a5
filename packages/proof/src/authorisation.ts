import type { Money } from '@sathorn/money';
import { canonicalText, parseCanonical } from './canonical.ts';
import { hashOfBody, type SignedText, verifySignedText } from './signature.ts';

/** The withdrawal that a customer confirmed with the payment password and the second factor, and no other. */
export interface AuthorisedWithdrawal {
  readonly withdrawal: string;
  readonly customer: string;
  readonly channel: string;
  /** Null for a withdrawal to a bank. */
  readonly chain: string | null;
  /** A wallet's address in lower case; for a bank, the keyed digest of the account, in hex. */
  readonly address: string;
  readonly payee: string;
  /** Including the fee. */
  readonly amount: Money<'USDT'>;
  readonly fee: Money<'USDT'>;
  /** Null if the customer was shown no quote. */
  readonly quote: string | null;
  /** In ms since 1970. */
  readonly atMs: number;
}

const AUTHORISATION_TYPE = 'authorisation/1';

/** Returns the canonical text to sign. */
export const authorisationText = (of: AuthorisedWithdrawal): string =>
  canonicalText({
    address: of.address,
    amount: String(of.amount.units),
    at: String(of.atMs),
    chain: of.chain,
    channel: of.channel,
    customer: of.customer,
    fee: String(of.fee.units),
    payee: of.payee,
    quote: of.quote,
    v: AUTHORISATION_TYPE,
    withdrawal: of.withdrawal,
  });

/** A signed text as it is stored. */
export type StoredAuthorisation = Pick<SignedText, 'body' | 'signature' | 'key'>;

const MEMBERS = [
  'withdrawal',
  'customer',
  'channel',
  'chain',
  'address',
  'payee',
  'amount',
  'fee',
  'quote',
  'at',
] as const;
type Member = (typeof MEMBERS)[number];

type AuthorisationRefusal =
  | 'authorisation_missing'
  | 'text_malformed'
  | 'key_unknown'
  | 'signature_wrong'
  | `${Member}_differs`;

/**
 * Returns why a stored authorisation is not valid for this withdrawal; null if a known key signed exactly these
 * members. The whole text is compared first, so a text with an unknown member is refused too.
 */
export async function refuseAuthorisation(
  stored: StoredAuthorisation | null,
  row: AuthorisedWithdrawal,
  publicKeysHex: readonly { readonly id: string; readonly publicKeyHex: string }[],
): Promise<AuthorisationRefusal | null> {
  if (stored === null) return 'authorisation_missing';
  const { body, signature, key } = stored;
  const known = publicKeysHex.find(({ id }) => id === key);
  if (known === undefined) return 'key_unknown';
  const expected = authorisationText(row);
  if (body !== expected) return differenceOf(body, expected);
  const fault = await verifySignedText({ body, hash: hashOfBody(body), signature, key }, known.publicKeyHex);
  return fault === null ? null : 'signature_wrong';
}

/** Returns the refusal for the first member in which two texts differ. */
function differenceOf(body: string, expected: string): AuthorisationRefusal {
  const [one, other] = [parseCanonical(body), parseCanonical(expected)] as Record<string, unknown>[];
  if (typeof one !== 'object' || one === null || Array.isArray(one)) return 'text_malformed';
  const differing = MEMBERS.find((name) => one[name] !== other?.[name]);
  return differing === undefined ? 'text_malformed' : `${differing}_differs`;
}
