import { listFactorResets } from '@sathorn/api';
import { Empty, Loaded } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLive } from '../../parts/use-live.ts';
import { hashOf } from '../../route.ts';
import { FactorReset, ResetState } from './factor-reset.tsx';
import './factor-resets.css';

/** Shown above the list of customers: requests for a reset of a second factor. Renders nothing if there are none. */
export function WaitingResets() {
  const { t } = useTexts();
  const query = useLive(listFactorResets, { status: 'waiting' });
  if (!query.data || query.data.items.length === 0) return null;
  return (
    <section className="card waiting-resets">
      <div className="hd">
        <h2>{t('reset.waiting')}</h2>
      </div>
      <ul className="plain bd">
        {query.data.items.map((reset) => (
          <li key={reset.id} className="row sp">
            <a href={hashOf('customers', reset.customer.id, { tab: 'factor' })}>
              <b>
                <bdi>{reset.customer.username}</bdi>
              </b>{' '}
              <span className="mono">{reset.customer.id}</span>
            </a>
            <ResetState reset={reset} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The tab of a customer's profile about the second factor. */
export function FactorTab({ id }: { id: string }) {
  const { t } = useTexts();
  const query = useLive(listFactorResets, { status: 'waiting' });
  const ended = useLive(listFactorResets, { status: 'ended' });
  return (
    <Loaded query={query}>
      {({ items }) => {
        const own = [...items, ...(ended.data?.items ?? [])].find(({ customer }) => customer.id === id);
        return own ? (
          <FactorReset key={`${own.id} ${own.state}`} id={own.id} />
        ) : (
          <section className="card">
            <Empty title={t('reset.nobody_asked')} />
          </section>
        );
      }}
    </Loaded>
  );
}
