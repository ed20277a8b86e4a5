import { listCustomerActions } from '@sathorn/api';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { EmptyState, ReadGate } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLiveRead } from '../../parts/use-live-read.ts';
import { routeHash } from '../../route.ts';

export function StaffActions({ id }: { id: string }) {
  const { t, code, dateTime } = useTexts();
  const query = useLiveRead(listCustomerActions, { id });
  return (
    <section className="card split">
      <div className="hd">
        <h2>{t('customers.tab.actions')}</h2>
        <span className="r">{t('customers.they_see')}</span>
      </div>
      <ReadGate query={query}>
        {({ items }) => (
          <>
            {items.length === 0 && <EmptyState title={t('customers.no_actions')} />}
            <ScrollRegion label={t('customers.tab.actions')}>
              <ul className="plain bd">
                {items.map((entry) => (
                  <li key={entry.n} className="line col">
                    <span className="row sp">
                      <b>{code('what', entry.what)}</b>
                      <a className="c mono" href={routeHash('audit', entry.n)}>
                        #{entry.n}
                      </a>
                    </span>
                    <span className="c">
                      {entry.who?.work_name ?? t('audit.platform')} · {dateTime(entry.at)}
                      {entry.reason && ` · ${code('reason', entry.reason)}`}
                    </span>
                    {entry.note && (
                      <span className="sm">
                        <bdi>{entry.note}</bdi>
                      </span>
                    )}
                  </li>
                ))}
              </ul>
            </ScrollRegion>
          </>
        )}
      </ReadGate>
    </section>
  );
}
