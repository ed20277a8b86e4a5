import { proposeBrand, readBrand, readBrandHistory } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Facts } from '../parts/parts.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { OfferPage } from './offer/offer-page.tsx';

const KINDS = ['switch', 'threshold'] as const;

export default function Brand() {
  const { t, code } = useTexts();
  const query = useRead(readBrand, {}, { everyMs: 5_000 });
  return (
    <OfferPage
      calls={{ page: 'brand', history: readBrandHistory, propose: proposeBrand, makers: ['admin'] }}
      title={t('nav.brand')}
      tabs={KINDS.map((name) => ({ name, label: t(`offer.${name}`) }))}
      query={query}
      side={({ title, mode, licences, asks_consent: asksConsent }) => (
        <div className="bd col">
          <Facts
            facts={[
              [t('brand.title'), title],
              [t('brand.mode'), t(`brand.mode.${mode}`)],
              [t('brand.consent'), t(asksConsent ? 'terms.on' : 'terms.off')],
              ...Object.entries(licences).map(
                ([product, licence]) =>
                  [`${t('terms.licence')} · ${code('offer_subject', product)}`, licence ?? '–'] as const,
              ),
            ]}
          />
        </div>
      )}
    />
  );
}
