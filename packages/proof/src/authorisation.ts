import type { Money } from '@sathorn/money';
import { canonical, parseCanonical } from './canonical.ts';
import { hashOf, type SignedText, verifySignedText } from './signature.ts';

/** What a customer confirmed with digits and second factor: this withdrawal, and no other. */
export interface Authorised {
  readonly withdrawal: string;
  readonly customer: string;
  readonly channel: string;
  /** Null for a bank. */
  readonly chain: string | null;
  /** A wallet's address in lower case; for a bank, the keyed digest of the account, in hex. */
  readonly address: string;
  readonly payee: string;
  /** With the fee. */
  readonly amount: Money<'USDT'>;
  readonly fee: Money<'USDT'>;
  /** Null where none was shown. */
  readonly quote: string | null;
  /** In ms since 1970. */
  readonly atMs: number;
}

export const AUTHORISATION_TYPE = 'authorisation/1';

/** The canonical text that is signed. */
export const authorisationText = (of: Authorised): string =>
  canonical({
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

export type AuthorisationRefusal =
  | 'authorisation_missing'
  | 'text_malformed'
  | 'key_unknown'
  | 'signature_wrong'
  | `${Member}_differs`;

/**
 * Why a stored authorisation is not one of this withdrawal; null if a known key signed exactly these members. The text
 * is compared as a whole first, so a member that nobody knows is refused too.
 */
export async function refuseAuthorisation(
  stored: StoredAuthorisation | null,
  row: Authorised,
  publicKeysHex: readonly { readonly id: string; readonly publicKeyHex: string }[],
): Promise<AuthorisationRefusal | null> {
  if (stored === null) return 'authorisation_missing';
  const { body, signature, key } = stored;
  const known = publicKeysHex.find(({ id }) => id === key);
  if (known === undefined) return 'key_unknown';
  const expected = authorisationText(row);
  if (body !== expected) return differenceOf(body, expected);
  const fault = await verifySignedText({ body, hash: hashOf(body), signature, key }, known.publicKeyHex);
  return fault === null ? null : 'signature_wrong';
}

/** The first member in which two texts differ. */
function differenceOf(body: string, expected: string): AuthorisationRefusal {
  const [one, other] = [parseCanonical(body), parseCanonical(expected)] as Record<string, unknown>[];
  if (typeof one !== 'object' || one === null || Array.isArray(one)) return 'text_malformed';
  const differing = MEMBERS.find((name) => one[name] !== other?.[name]);
  return differing === undefined ? 'text_malformed' : `${differing}_differs`;
}
