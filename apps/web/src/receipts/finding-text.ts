import type { TermsMember } from '@sathorn/proof';
import { formatCount, formatDate, type KeyOf, type Presentation } from '@sathorn/text';
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
  if (finding.kind === 'contradiction') {
    const { kind, about, differs } = finding.contradiction;
    if (kind === 'ack') return [t('verify.ack.contradiction', { what: factsText(differs, t) })];
    if (kind !== 'terms') return [t('verify.alert.contradiction_other', { about })];
    const what = termsMembersText(differs as readonly TermsMember[], t);
    return [t('verify.alert.contradiction_terms', { id: about, what })];
  }
  if (finding.kind === 'statement') return [statementText(finding, t)];
  if (finding.kind === 'liability') {
    const { fault } = finding;
    return [t(`verify.owed.${fault === 'smaller' || fault === 'rewritten' ? fault : 'wrong'}`)];
  }
  if (finding.kind === 'log')
    return [t(`verify.log.${finding.fault}`, { entries: formatCount(finding.entries, presentation) })];
  if (finding.kind === 'ack') {
    const thing = t(`verify.ack.thing.${finding.about ?? 'other'}`);
    return [t(`verify.ack.${finding.fault}`, { thing, what: factsText(finding.differs, t) })];
  }
  if (finding.kind === 'ordered') {
    const time = formatDate(finding.at, 'dateTime', presentation);
    return [t(`verify.ordered.${finding.fault}`, { thing: t(`verify.ack.thing.${finding.about}`), time })];
  }
  if (finding.kind === 'charge') return [t(`verify.charge.${finding.fault}`, { id: finding.id })];
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

/** Words for the facts of acknowledgements. Several facts share a word. */
const FACT_WORDS: Readonly<Record<string, KeyOf<'receipt'>>> = {
  side: 'verify.ack.fact.side',
  price: 'verify.ack.fact.price',
  amount: 'verify.ack.fact.amount',
  quantity: 'verify.ack.fact.amount',
  currency_amount: 'verify.ack.fact.amount',
  amount_min: 'verify.ack.fact.amount',
  amount_max: 'verify.ack.fact.amount',
  price_max: 'verify.ack.fact.price',
  fee: 'verify.ack.fact.fee',
  maker_fee_rate: 'verify.ack.fact.fee',
  taker_fee_rate: 'verify.ack.fact.fee',
  daily_rate: 'verify.ack.fact.rate',
  rate_min: 'verify.ack.fact.rate',
  rate: 'verify.ack.fact.exchange_rate',
  stages: 'verify.ack.fact.rate',
  total_income: 'verify.ack.fact.income',
  days: 'verify.ack.fact.dates',
  every: 'verify.ack.fact.dates',
  day: 'verify.ack.fact.dates',
  hour: 'verify.ack.fact.dates',
  time_zone: 'verify.ack.fact.dates',
  start_date: 'verify.ack.fact.dates',
  end_date: 'verify.ack.fact.dates',
  effective_from: 'verify.ack.fact.dates',
  created_at: 'verify.ack.fact.dates',
  sold_at: 'verify.ack.fact.dates',
  rate_until: 'verify.ack.fact.promised',
  promised_at: 'verify.ack.fact.promised',
  chain: 'verify.ack.fact.payee',
  address: 'verify.ack.fact.payee',
  bank: 'verify.ack.fact.payee',
  number: 'verify.ack.fact.payee',
  real_name: 'verify.ack.fact.payee',
};
const factsText = (facts: readonly string[], t: ReceiptText): string =>
  [...new Set(facts.map((name) => t(FACT_WORDS[name] ?? 'verify.ack.fact.other')))].join(' · ');

function statementText(
  { fault, name, asset, n }: Extract<EvidenceFinding, { kind: 'statement' }>,
  t: ReceiptText,
): string {
  const account = name === '' ? '' : `${asset} (${t(accountKeyOf(name))})`;
  return t(`verify.statement.${fault}`, { account, n });
}

const ACCOUNT_KEYS = ['spot', 'in_orders', 'lockup', 'liquidity', 'accrued', 'restricted'] as const;
function accountKeyOf(name: string): KeyOf<'receipt'> {
  return `verify.account.${ACCOUNT_KEYS.find((known) => known === name) ?? 'other'}`;
}

/** The heading for the findings, the gravest first. */
export function findingsTitle(findings: readonly EvidenceFinding[], t: ReceiptText): string {
  if (findings.some(({ kind }) => kind === 'contradiction')) return t('verify.alert.contradiction_title');
  if (findings.some(({ kind }) => kind === 'fork')) return t('verify.alert.title');
  const ofLog = findings.flatMap((finding) => (finding.kind === 'log' ? finding.fault : []));
  if (ofLog.some((fault) => fault !== 'policy')) return t('verify.log.title');
  if (findings.some(({ kind }) => kind === 'statement')) return t('verify.statement.title');
  if (findings.some(({ kind }) => kind === 'ack')) return t('verify.ack.title');
  if (findings.some(({ kind }) => kind === 'charge')) return t('verify.charge.title');
  if (findings.some(({ kind }) => kind === 'liability')) return t('verify.owed.title');
  if (findings.some(({ kind }) => kind === 'ordered')) return t('verify.ordered.title');
  if (ofLog.length > 0) return t('verify.log.policy_title');
  if (findings.every(({ kind }) => kind === 'restored')) return t('verify.restored.title');
  const isOfKeys = findings.some(({ kind }) => kind === 'key_refused' || kind === 'key_withdrawn');
  return t(isOfKeys ? 'verify.alert.keys_title' : 'verify.bought.title');
}
