import { listCustomerActions } from '@sathorn/api';
import { Scroll } from '../../parts/scroll.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLive } from '../../parts/use-live.ts';
import { hashOf } from '../../route.ts';

export function Actions({ id }: { id: string }) {
  const { t, code, dateTime } = useTexts();
  const query = useLive(listCustomerActions, { id });
  return (
    <section className="card split">
      <div className="hd">
        <h2>{t('customers.tab.actions')}</h2>
        <span className="r">{t('customers.they_see')}</span>
      </div>
      <Loaded query={query}>
        {({ items }) => (
          <>
            {items.length === 0 && <Empty title={t('customers.no_actions')} />}
            <Scroll label={t('customers.tab.actions')}>
              <ul className="plain bd">
                {items.map((entry) => (
                  <li key={entry.n} className="line col">
                    <span className="row sp">
                      <b>{code('what', entry.what)}</b>
                      <a className="c mono" href={hashOf('audit', entry.n)}>
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
            </Scroll>
          </>
        )}
      </Loaded>
    </section>
  );
}
