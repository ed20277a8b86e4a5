import type { TermsMember } from '@sathorn/proof';
import type { ReceiptText } from './use-receipt-text.ts';

/** Lists the differing fields in a form that every language can use. */
export function termsMembersText(members: readonly TermsMember[], t: ReceiptText): string {
  return members.map((name) => t(`verify.member.${name}`)).join(' · ');
}
