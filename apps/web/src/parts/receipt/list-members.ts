import type { TermsMember } from '@sathorn/proof';
import type { ReceiptText } from './use-receipt-text.ts';

/** Lists the differing members in a form that reads alike in every language. */
export function listMembers(members: readonly TermsMember[], t: ReceiptText): string {
  return members.map((name) => t(`verify.member.${name}`)).join(' · ');
}
