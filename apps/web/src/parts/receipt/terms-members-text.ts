import type { OrderMember } from '../evidence/judge-receipt.ts';
import type { ReceiptText } from './use-receipt-text.ts';

/** Lists the differing fields in a form that every language can use. */
export function termsMembersText(members: readonly OrderMember[], t: ReceiptText): string {
  return members.map((name) => t(`verify.member.${name}`)).join(' · ');
}
