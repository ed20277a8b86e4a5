import type { ReceiptMessageKey } from '@sathorn/text';
import type { Finding } from '../parts/evidence/findings.ts';
import { listMembers } from '../parts/receipt/list-members.ts';
import type { SpeakReceipt } from '../parts/receipt/use-receipt-text.ts';

/** What was found, in sentences. */
export function findingTexts(finding: Finding, speak: SpeakReceipt): string[] {
  if (finding.kind === 'fork') {
    const { coin, fork, sequence } = finding;
    return [speak(`verify.alert.${fork}`, { coin, sequence })];
  }
  if (finding.kind !== 'purchase') return [speak(`verify.alert.${finding.kind}`, { id: finding.id })];
  const { isWithoutTerms, signature, differs, moment } = finding.findings;
  const faultKey = (code: string): ReceiptMessageKey => `verify.fault.${code}` as ReceiptMessageKey;
  return [
    ...(isWithoutTerms ? [speak('verify.bought.no_terms')] : []),
    ...(signature === null ? [] : [speak('verify.bought.wrong_signature', { fault: speak(faultKey(signature)) })]),
    ...(differs.length === 0 ? [] : [speak('verify.bought.differs', { what: listMembers(differs, speak) })]),
    ...(moment === null ? [] : [speak(`verify.moment.${moment}`)]),
  ];
}

/** The headline of what was found: forks of the chain before keys, keys before single purchases. */
export function titleOf(findings: readonly Finding[], speak: SpeakReceipt): string {
  if (findings.some(({ kind }) => kind === 'fork')) return speak('verify.alert.title');
  const isOfKeys = findings.some(({ kind }) => kind !== 'purchase');
  return speak(isOfKeys ? 'verify.alert.keys_title' : 'verify.bought.title');
}
