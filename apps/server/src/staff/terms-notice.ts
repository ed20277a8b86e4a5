import { formatDecimal } from '@sathorn/money';
import { isTemplate } from '../people/messages/index.ts';
import { type OfferFields, type OfferTermsChange, storedRateOf } from './offer/index.ts';

/** The notice about new terms: its template and parameters. */
export function termsNoticeOf({ kind, subject, effectiveFrom, before, after }: OfferTermsChange) {
  const rateOf = (fields: OfferFields | null): string => {
    const percent = formatDecimal(storedRateOf(fields?.daily_rate), 6);
    return `${percent.replace(/0+$/, '').replace(/\.$/, '')} %`;
  };
  const template = `terms_${kind}`;
  const params = { subject, at: effectiveFrom.toISOString(), now: rateOf(before), next: rateOf(after) };
  return { template: isTemplate(template) ? (template as 'terms_lockup') : 'terms_other', params } as const;
}
