import { findCustomers } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { Pager, usePageCursor } from '../../parts/pager.tsx';
import { Tag } from '../../parts/parts.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { EmptyState, ReadGate } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useList } from '../../parts/use-list.ts';
import { goToRoute, routeHash, useRoute } from '../../route.ts';
import { PageHeader } from '../../shell/page-header.tsx';
import { WaitingFactorResets } from './factor-resets.tsx';

export function CustomerSearch() {
  const { t, dateTime } = useTexts();
  const operator = useOperator();
  const { filter } = useRoute();
  const [page, setPage] = usePageCursor();
  const [query, setQuery] = useState(filter.q ?? '');
  const found = useRead(findCustomers, { ...(filter.q && { q: filter.q }), ...(page !== null && { page }) });
  const [chosen, setChosen] = useState<string | null>(null);
  useList(found.data?.items.map(({ id }) => id) ?? [], chosen, setChosen, (id) => goToRoute('customers', id));
  return (
    <>
      <PageHeader title={t('nav.customers')} isStale={found.isError} />
      <div className="page">
        {hasAnyRole(operator, ['support', 'compliance', 'admin']) && <WaitingFactorResets />}
        <section className="card split">
          <form
            className="hd"
            onSubmit={(event) => {
              event.preventDefault();
              goToRoute('customers', null, { q: query.trim() });
            }}
          >
            <input
              data-find=""
              className="field grow"
              aria-label={t('customers.find')}
              placeholder={t('customers.find')}
              value={query}
              onChange={({ target }) => setQuery(target.value)}
            />
            <Button type="submit" size="small" icon="search">
              {t('act.find')}
            </Button>
          </form>
          <ReadGate query={found}>
            {({ items, next, total }) =>
              items.length === 0 ? (
                <EmptyState title={t('customers.none')} />
              ) : (
                <ScrollRegion label={t('nav.customers')}>
                  <table>
                    <thead>
                      <tr>
                        <th>{t('customers.username')}</th>
                        <th>{t('customers.id')}</th>
                        <th>{t('customers.contact')}</th>
                        <th>{t('customers.since')}</th>
                        <th>
                          <span className="unseen">{t('customers.frozen')}</span>
                        </th>
                      </tr>
                    </thead>
                    <tbody>
                      {items.map((item) => (
                        <tr
                          key={item.id}
                          className={item.id === chosen ? 'sel' : ''}
                          data-chosen={item.id === chosen ? '' : undefined}
                        >
                          <td className="b">
                            <a href={routeHash('customers', item.id)}>
                              <bdi>{item.username}</bdi>
                            </a>{' '}
                            <span className="c">
                              <bdi>{item.nickname}</bdi>
                            </span>
                          </td>
                          <td className="mono">{item.id}</td>
                          <td className="mono">{item.contact}</td>
                          <td className="m">{dateTime(item.created_at)}</td>
                          <td>{item.is_frozen && <Tag look="warn">{t('customers.frozen')}</Tag>}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                  <Pager page={page} next={next} total={t('customers.total', { count: total })} onPage={setPage} />
                </ScrollRegion>
              )
            }
          </ReadGate>
        </section>
      </div>
    </>
  );
}
