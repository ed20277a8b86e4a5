import { formatDate, type KeyOf, type Presentation } from '@sathorn/text';
import type { EvidenceFinding } from '../parts/evidence/evidence-findings.ts';
import { termsMembersText } from '../parts/receipt/terms-members-text.ts';
import type { ReceiptText } from '../parts/receipt/use-receipt-text.ts';

/** The sentences for a finding. */
export function findingTexts(finding: EvidenceFinding, t: ReceiptText, presentation: Presentation): string[] {
  if (finding.kind === 'fork') {
    const { coin, fork, sequence } = finding;
    return [t(`verify.alert.${fork}`, { coin, sequence })];
  }
  if (finding.kind === 'restored') {
    const [restored, ends] = [finding.restoredAt, finding.endsAt].map((at) =>
      formatDate(Date.parse(at), 'dateTime', presentation),
    );
    return [t('verify.restored.text', { restored: restored ?? '', ends: ends ?? '' })];
  }
  if (finding.kind !== 'purchase') return [t(`verify.alert.${finding.kind}`, { id: finding.id })];
  const { isWithoutTerms, signature, differs, moment } = finding.findings;
  const faultKey = (code: string): KeyOf<'receipt'> => `verify.fault.${code}` as KeyOf<'receipt'>;
  return [
    ...(isWithoutTerms ? [t('verify.bought.no_terms')] : []),
    ...(signature === null ? [] : [t('verify.bought.wrong_signature', { fault: t(faultKey(signature)) })]),
    ...(differs.length === 0 ? [] : [t('verify.bought.differs', { what: termsMembersText(differs, t) })]),
    ...(moment === null ? [] : [t(`verify.moment.${moment}`)]),
  ];
}

/** The heading for the findings, by severity: forks of the chain, then keys, then single purchases. */
export function findingsTitle(findings: readonly EvidenceFinding[], t: ReceiptText): string {
  if (findings.some(({ kind }) => kind === 'fork')) return t('verify.alert.title');
  if (findings.every(({ kind }) => kind === 'restored')) return t('verify.restored.title');
  const isOfKeys = findings.some(({ kind }) => kind === 'key_refused' || kind === 'key_withdrawn');
  return t(isOfKeys ? 'verify.alert.keys_title' : 'verify.bought.title');
}
