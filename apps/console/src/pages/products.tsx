import { listProductHistory, listProducts, proposeProduct, type ResultOf } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useTexts } from '../parts/texts/index.ts';
import { OfferPage } from './offer/offer-page.tsx';

const KINDS = ['lockup', 'liquidity', 'fee', 'withdrawal', 'level'] as const;

export default function Products() {
  const { t } = useTexts();
  const query = useRead(listProducts, {}, { everyMs: 5_000 });
  return (
    <OfferPage
      calls={{ page: 'products', history: listProductHistory, propose: proposeProduct }}
      title={t('nav.products')}
      tabs={KINDS.map((name) => ({ name, label: t(`offer.${name}`) }))}
      query={query}
      side={({ accruals }, tab) =>
        tab === 'lockup' || tab === 'liquidity' ? (
          <Accruals rows={accruals.filter(({ product }) => (product === '1') === (tab === 'liquidity'))} />
        ) : null
      }
    />
  );
}

/** Shows up to which day the income of each product has been paid. */
function Accruals({ rows }: { rows: ResultOf<typeof listProducts>['accruals'] }) {
  const { t, code } = useTexts();
  return (
    <div className="bd col">
      <h3 className="c">{t('accrual.title')}</h3>
      {rows.length === 0 && <p className="c">{t('accrual.none')}</p>}
      {rows.map(({ product, day, state, positions, chunks, chunks_paid: paid }) => (
        <div key={product} className="offer-accrual">
          <span className="row sp sm">
            <b>{code('offer_subject', product)}</b>
            <span className="num">{day}</span>
          </span>
          <progress
            max={Math.max(chunks, 1)}
            value={state === 'paid' ? Math.max(chunks, 1) : paid}
            aria-label={`${product} ${day}`}
          />
          <span className="c">
            {code('accrual', state)} · {t('accrual.positions', { count: String(positions) })}
          </span>
        </div>
      ))}
    </div>
  );
}
