import { listCustomerCertifications } from '@sathorn/api';
import { may, useOperator } from '../../operator.ts';
import { Tag } from '../../parts/parts.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLive } from '../../parts/use-live.ts';
import { hashOf } from '../../route.ts';

/** The customer's certifications, without personal data. Compliance can open each case; that is logged. */
export function Certifications({ id }: { id: string }) {
  const { t, code, dateTime } = useTexts();
  const operator = useOperator();
  const query = useLive(listCustomerCertifications, { id });
  const mayOpen = may(operator, ['compliance']);
  return (
    <section className="card split">
      <div className="hd">
        <h2>{t('nav.certifications')}</h2>
      </div>
      <Loaded query={query}>
        {(items) => (
          <Scroll label={t('nav.certifications')}>
            {items.length === 0 && <Empty title={t('customers.no_certifications')} />}
            <ul className="plain bd">
              {items.map((item) => {
                const name = `${t(`case.level.${item.level}`)} · ${code('case.type', item.type)}`;
                return (
                  <li key={item.id} className="line col">
                    <span className="row sp">
                      {mayOpen ? (
                        <a
                          className="b"
                          href={hashOf('certifications', item.id, {
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
          </Scroll>
        )}
      </Loaded>
    </section>
  );
}
