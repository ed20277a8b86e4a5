import { listFactorResets } from '@sathorn/api';
import { EmptyState, ReadGate } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLiveRead } from '../../parts/use-live-read.ts';
import { routeHash } from '../../route.ts';
import { FactorReset, FactorResetState } from './factor-reset.tsx';
import './factor-resets.css';

/** Shown above the list of customers: requests for a reset of a second factor. Renders nothing if there are none. */
export function WaitingFactorResets() {
  const { t } = useTexts();
  const query = useLiveRead(listFactorResets, { status: 'waiting' });
  if (!query.data || query.data.items.length === 0) return null;
  return (
    <section className="card waiting-resets">
      <div className="hd">
        <h2>{t('reset.waiting')}</h2>
      </div>
      <ul className="plain bd">
        {query.data.items.map((reset) => (
          <li key={reset.id} className="row sp">
            <a href={routeHash('customers', reset.customer.id, { tab: 'factor' })}>
              <b>
                <bdi>{reset.customer.username}</bdi>
              </b>{' '}
              <span className="mono">{reset.customer.id}</span>
            </a>
            <FactorResetState reset={reset} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The tab of a customer's profile about the second factor. */
export function FactorTab({ id }: { id: string }) {
  const { t } = useTexts();
  const query = useLiveRead(listFactorResets, { status: 'waiting' });
  const ended = useLiveRead(listFactorResets, { status: 'ended' });
  return (
    <ReadGate query={query}>
      {({ items }) => {
        const own = [...items, ...(ended.data?.items ?? [])].find(({ customer }) => customer.id === id);
        return own ? (
          <FactorReset key={`${own.id} ${own.state}`} id={own.id} />
        ) : (
          <section className="card">
            <EmptyState title={t('reset.nobody_asked')} />
          </section>
        );
      }}
    </ReadGate>
  );
}
