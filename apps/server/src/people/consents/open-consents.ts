import { randomUUID } from 'node:crypto';
import type { ConsentProduct } from '@sathorn/api';
import { accept, decideSuitability, refuse, type SuitabilityAnswers } from '@sathorn/settlement';
import { formatDate, type Reader } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import type { Module } from '../../platform/module.ts';
import { type ConsentRow, insertConsent, readNewestConsents } from './consent-store.ts';
import { CONSENT_VERSIONS, consentTexts, consentTextsHash } from './consent-texts.ts';
import type { Consents, ConsentsDependencies } from './consents.ts';
import { giveConsentHandler } from './give-consent.ts';
import { readConsentHandler } from './read-consent.ts';

/** How long the first order must wait if the answers showed that the product does not suit the customer. */
const COOLING_MS = 24 * 3_600_000;
/** How many customers with consent are kept in memory. Consent is never revoked, so the entries stay valid. */
const KEPT_MAX = 100_000;

export function openConsents({ database, isAsked, timeZone }: ConsentsDependencies): Module<Consents> {
  const kept = new Set<string>();

  const nameOf = (customer: bigint, product: ConsentProduct): string => `${customer}/${product}`;
  const readMayOrder = async (customer: bigint, product: ConsentProduct, now: Date): Promise<boolean> => {
    const row = await readNewestConsents(database, customer, product, CONSENT_VERSIONS[product]);
    if (!row || row.usable_from > now) return false;
    kept.add(nameOf(customer, product));
    const [oldest] = kept;
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    return true;
  };

  const findingOf = (row: ConsentRow, reader: Reader, now: Date): string => {
    if (row.finding === 'suitable') return translate(reader.language, 'consents.suitable');
    const { against } = decideSuitability(row.answers as unknown as SuitabilityAnswers);
    const reasons = against.map((question) => translate(reader.language, `consents.against.${question}` as never));
    const until = formatDate(row.usable_from.toISOString(), 'dateTime', reader, reader.timeZone ?? timeZone);
    const key = row.usable_from > now ? 'consents.unsuitable' : 'consents.unsuitable_over';
    return [...reasons, translate(reader.language, key, { until } as never)].join(' ');
  };

  const api: Consents = {
    isAsked,
    mayOrder: (customer, product, now) =>
      !isAsked || kept.has(nameOf(customer, product)) || readMayOrder(customer, product, now),
    async state(customer, product, reader, now) {
      const row = await readNewestConsents(database, customer, product, CONSENT_VERSIONS[product]);
      return {
        product,
        required: isAsked,
        version: CONSENT_VERSIONS[product],
        state: !row ? 'none' : row.usable_from > now ? 'waiting' : 'given',
        given_at: row?.at.toISOString() ?? null,
        usable_from: row?.usable_from.toISOString() ?? null,
        ...consentTexts(reader.language, product),
        finding: row ? findingOf(row, reader, now) : null,
      };
    },
    async give(customer, { product, version, answers }, reader, now) {
      if (version !== CONSENT_VERSIONS[product]) return refuse('consent_outdated', { field: 'version' });
      const before = await readNewestConsents(database, customer, product, version);
      // A customer who must wait before using the product cannot answer again during that time.
      if (before && (before.finding === 'suitable' || before.usable_from > now)) return refuse('consent_answered');
      const { finding } = decideSuitability(answers);
      await insertConsent(database, {
        id: randomUUID(),
        customer,
        product,
        version,
        language: reader.language,
        textHash: consentTextsHash(consentTexts(reader.language, product)),
        answers: { ...answers },
        finding,
        usableFrom: finding === 'suitable' ? now : new Date(now.getTime() + COOLING_MS),
      });
      return accept(await api.state(customer, product, reader, now));
    },
  };
  return { api, handlers: [readConsentHandler(api), giveConsentHandler(api)] };
}
