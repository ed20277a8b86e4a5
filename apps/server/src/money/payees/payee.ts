import { createHash } from 'node:crypto';
import type { CardView, WalletView } from '@sathorn/api';
import { BANKS, type BankCode, isSameName, maskedEmail, maskedNumber, maskedPhone } from '@sathorn/identity';
import { payeeUsableFrom } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import type { Sealer } from '../../platform/sealing.ts';
import type { PayeeKind, PayeeRow } from './payee-store.ts';

/** The database has the same limits. */
export const PAYEES_MAX: Readonly<Record<PayeeKind, number>> = { card: 3, wallet: 20 };

/** The part that is encrypted. */
export interface WalletSecret {
  readonly coin: string;
  readonly chain: string;
  readonly address: string;
}
export interface CardSecret {
  readonly realName: string;
  readonly ifsc: string;
  readonly bank: BankCode;
  readonly number: string;
  readonly phone: string;
  readonly email: string;
}

interface Known {
  readonly id: string;
  readonly name: string;
  readonly addedAt: Date;
  readonly usableFrom: Date;
}
/** `opening` opens the stored commitment to chain and address. */
type WalletPayee = Known & WalletSecret & { readonly kind: 'wallet'; readonly opening: Buffer };
/** `accountDigest` is the keyed hash of the account, in hex. */
export type CardPayee = Known & CardSecret & { readonly kind: 'card'; readonly accountDigest: string };
export type Payee = WalletPayee | CardPayee;

/**
 * The context to which the encryption is bound: a row that is backdated or moved to another customer cannot be
 * decrypted.
 */
export function payeeSealContext({
  id,
  kind,
  added_at: addedAt,
}: Pick<PayeeRow, 'id' | 'kind' | 'added_at'>): string[] {
  return ['payee', id, kind, addedAt.toISOString()];
}

export const digestOfWallet = (sealer: Sealer, { chain, address }: WalletSecret): Buffer =>
  sealer.digest('wallet', chain, address.toLowerCase());
export const digestOfCard = (sealer: Sealer, { bank, number }: CardSecret): Buffer =>
  sealer.digest('card', bank, number);

/** The key that opens a payee's commitment. It differs per payee, and is no secret once money was sent there. */
const openingOf = (sealer: Sealer, id: string): Buffer => sealer.digest('opening', id);
/** Commits to a payee's address without revealing it. `payees.commitment_of` computes the same. */
export const addressCommitmentOf = (sealer: Sealer, id: string, { chain, address }: WalletSecret): Buffer =>
  createHash('sha256').update(openingOf(sealer, id)).update(`${chain} ${address.toLowerCase()}`).digest();

/** Throws if the row was not written by this program. */
export function unsealPayee(sealer: Sealer, row: PayeeRow): Payee {
  const secret: unknown = JSON.parse(sealer.open(row.owner, payeeSealContext(row), row.sealed).toString());
  const known = {
    id: row.id,
    name: row.name,
    addedAt: row.added_at,
    usableFrom: payeeUsableFrom(row.added_at),
  };
  return row.kind === 'wallet'
    ? { ...known, ...(secret as WalletSecret), kind: 'wallet', opening: openingOf(sealer, row.id) }
    : { ...known, ...(secret as CardSecret), kind: 'card', accountDigest: row.digest.toString('hex') };
}

/**
 * Rows that can't be opened were written or moved in the database by hand. They are reported and left out, so that the
 * customer still sees the others; none of them can be paid.
 */
export const unsealPayees = (
  { sealer, onFault }: { readonly sealer: Sealer; readonly onFault: (error: unknown) => void },
  rows: readonly PayeeRow[],
): readonly Payee[] =>
  rows.flatMap((row) => {
    try {
      return unsealPayee(sealer, row);
    } catch (error) {
      onFault(error);
      return [];
    }
  });

export function bankName(bank: BankCode, language: Language): string {
  return language === 'th' ? BANKS[bank].thai : BANKS[bank].english;
}

export function viewWallet(wallet: WalletPayee, chainName: string): WalletView {
  const { id, name, coin, chain, address, addedAt, usableFrom } = wallet;
  return {
    id,
    name,
    coin,
    chain,
    chain_name: chainName,
    address,
    added_at: addedAt.toISOString(),
    usable_from: usableFrom.toISOString(),
  };
}

export function viewCard(card: CardPayee, certifiedNames: readonly string[], language: Language): CardView {
  return {
    id: card.id,
    name: card.name,
    real_name: card.realName,
    ifsc: card.ifsc,
    bank: card.bank,
    bank_name: bankName(card.bank, language),
    number: maskedNumber(card.number),
    phone: maskedPhone(card.phone),
    email: maskedEmail(card.email),
    is_certified_name:
      certifiedNames.length === 0 ? null : certifiedNames.some((name) => isSameName(card.realName, name)),
    added_at: card.addedAt.toISOString(),
    usable_from: card.usableFrom.toISOString(),
  };
}
