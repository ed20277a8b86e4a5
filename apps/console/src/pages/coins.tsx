import { listCoinHistory, listCoinsOffered, proposeCoin } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useTexts } from '../parts/texts/index.ts';
import { OfferPage } from './offer/offer-page.tsx';

const KINDS = ['option', 'option_sale', 'coin'] as const;

export default function Coins() {
  const { t } = useTexts();
  const query = useRead(listCoinsOffered, {}, { everyMs: 5_000 });
  return (
    <OfferPage
      calls={{ page: 'coins', history: listCoinHistory, propose: proposeCoin }}
      title={t('nav.coins')}
      tabs={KINDS.map((name) => ({ name, label: t(`offer.${name}`) }))}
      query={query}
    />
  );
}
