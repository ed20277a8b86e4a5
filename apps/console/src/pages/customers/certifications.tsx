import { listCustomerCertifications } from '@sathorn/api';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { Tag } from '../../parts/parts.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { EmptyState, ReadGate } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLiveRead } from '../../parts/use-live-read.ts';
import { routeHash } from '../../route.ts';

/** The customer's certifications, without personal data. Compliance can open each case; that is logged. */
export function Certifications({ id }: { id: string }) {
  const { t, code, dateTime } = useTexts();
  const operator = useOperator();
  const query = useLiveRead(listCustomerCertifications, { id });
  const mayOpen = hasAnyRole(operator, ['compliance']);
  return (
    <section className="card split">
      <div className="hd">
        <h2>{t('nav.certifications')}</h2>
      </div>
      <ReadGate query={query}>
        {(items) => (
          <ScrollRegion label={t('nav.certifications')}>
            {items.length === 0 && <EmptyState title={t('customers.no_certifications')} />}
            <ul className="plain bd">
              {items.map((item) => {
                const name = `${t(`case.level.${item.level}`)} · ${code('case.type', item.type)}`;
                return (
                  <li key={item.id} className="line col">
                    <span className="row sp">
                      {mayOpen ? (
                        <a
                          className="b"
                          href={routeHash('certifications', item.id, {
                            tab: item.status === 'review' ? 'review' : 'decided',
                          })}
                        >
                          {name}
                        </a>
                      ) : (
                        <b>{name}</b>
                      )}
                      <Tag look={item.status === 'review' ? 'brand' : undefined}>{t(`status.${item.status}`)}</Tag>
                    </span>
                    <span className="c">
                      {dateTime(item.submitted_at)}
                      {item.decided_at !== null && ` → ${dateTime(item.decided_at)}`}
                      {item.decided_by && ` · ${item.decided_by.work_name}`}
                    </span>
                    {item.reasons.length > 0 && (
                      <span className="sm">{item.reasons.map((reason) => code('reason', reason)).join(' · ')}</span>
                    )}
                  </li>
                );
              })}
            </ul>
          </ScrollRegion>
        )}
      </ReadGate>
    </section>
  );
}
