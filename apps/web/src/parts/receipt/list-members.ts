import type { TermsMember } from '@sathorn/proof';
import type { SpeakReceipt } from './use-receipt-text.ts';

/** What differs, one after the other: a list that reads alike in every language. */
export function listMembers(members: readonly TermsMember[], speak: SpeakReceipt): string {
  return members.map((name) => speak(`verify.member.${name}`)).join(' · ');
}
