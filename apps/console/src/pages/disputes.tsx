import { listDisputes, listMoneyDisputes } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Late, type LoadPart } from '@sathorn/app/late';
import type { ReactNode } from 'react';
import { CasePage } from '../parts/case-page.tsx';
import { DueClock } from '../parts/parts.tsx';
import { SkeletonList } from '../parts/states.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { routeHash, useRoute } from '../route.ts';
import DisputePane from './disputes/dispute-pane.tsx';

const loadMoney: LoadPart<{ choice: ReactNode }> = () => import('./disputes/money-disputes.tsx');

/** Disputes about trades, or about money. */
export default function Disputes() {
  const { t } = useTexts();
  const { filter } = useRoute();
  const trades = useRead(listDisputes, { status: 'open' }, { everyMs: 10_000 });
  const money = useRead(listMoneyDisputes, { status: 'open' }, { everyMs: 10_000 });
  const waiting = [trades, money].map(({ data }) => data && data.counts.open + data.counts.second_look);
  // Without a choice, the page shows a kind that has waiting cases, because the number in the navigation counts both.
  const isMoney = filter.about === undefined ? waiting[0] === 0 && (waiting[1] ?? 0) > 0 : filter.about === 'money';
  const choice = (
    <div className="hd wrap">
      {[false, true].map((one) => (
        <a
          key={String(one)}
          className="chip"
          data-on={one === isMoney ? '' : undefined}
          aria-current={one === isMoney ? 'true' : undefined}
          href={routeHash('disputes', null, { about: one ? 'money' : 'trades' })}
        >
          {t(one ? 'nav.money' : 'disputes.trades')} {waiting[Number(one)] ?? ''}
        </a>
      ))}
    </div>
  );
  if (!isMoney) return <TradeDisputes choice={choice} />;
  return (
    <Late load={loadMoney} waiting={<SkeletonList />}>
      {(MoneyDisputes) => <MoneyDisputes choice={choice} />}
    </Late>
  );
}

function TradeDisputes({ choice }: { choice: ReactNode }) {
  const { t, dateTime, code } = useTexts();
  const { filter } = useRoute();
  const tab = (['open', 'second_look', 'closed'] as const).find((one) => one === filter.tab) ?? 'open';
  const query = useRead(listDisputes, { status: tab }, { everyMs: 5_000 });
  return (
    <CasePage
      page="disputes"
      title={t('nav.disputes')}
      tabs={[
        { name: 'open', label: t('disputes.open'), count: query.data?.counts.open },
        { name: 'second_look', label: t('disputes.second_look'), count: query.data?.counts.second_look },
        { name: 'closed', label: t('disputes.closed') },
      ]}
      tab={tab}
      query={query}
      items={({ items }) => items}
      empty={t('disputes.none')}
      head={choice}
      line={(item) => (
        <>
          <span className="row sp">
            <b className="mono">{item.id.slice(0, 8)}</b>
            {item.status === 'closed' ? (
              <span className="c">{dateTime(item.opened_at)}</span>
            ) : (
              <DueClock due={item.promised_at} from={item.opened_at} />
            )}
          </span>
          <span className="row sp c">
            <bdi>{item.customer.username}</bdi>
            <span>
              {item.finding && code('reason', item.finding)}
              {item.first && ` · ${item.first.work_name}`}
            </span>
          </span>
        </>
      )}
      foot={({ closed }) => <p className="foot c">{t('disputes.closed_90', closed)}</p>}
      pane={(id) => <DisputePane key={id} id={id} />}
    />
  );
}
