import { listMoneyDisputes } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { CasePage } from '../../parts/case-page.tsx';
import { DueClock, Money } from '../../parts/parts.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useRoute } from '../../route.ts';
import MoneyDisputePane from './money-dispute-pane.tsx';
import { useMoneyDisputeTexts } from './texts.ts';

const STATES = ['open', 'second_look', 'closed'] as const;

/** Disputes about deposits, withdrawals and corrections. */
export default function MoneyDisputes({ choice }: { choice: React.ReactNode }) {
  const { t, dateTime } = useTexts();
  const { b, word } = useMoneyDisputeTexts();
  const { filter } = useRoute();
  const tab = STATES.find((one) => one === filter.tab) ?? 'open';
  const query = useRead(listMoneyDisputes, { status: tab }, { everyMs: 5_000 });
  return (
    <CasePage
      page="disputes"
      title={t('nav.disputes')}
      tabs={STATES.map((name) => ({
        name,
        label: t(`disputes.${name}`),
        ...(name !== 'closed' && { count: query.data?.counts[name] }),
      }))}
      tab={tab}
      at={{ about: 'money' }}
      query={query}
      items={({ items }) => items}
      empty={b('md.none')}
      head={choice}
      line={(item) => (
        <>
          <span className="row sp">
            <b className="mono">{item.order}</b>
            {item.status === 'closed' ? (
              <span className="c">{dateTime(item.opened_at)}</span>
            ) : (
              <DueClock due={item.promised_at} from={item.opened_at} />
            )}
          </span>
          <span className="row sp c">
            <span>
              {word('md.kind', item.kind)} <Money of={item.amount} asset={item.asset} /> {item.asset} ·{' '}
              <bdi>{item.customer.username}</bdi>
            </span>
            <span>
              {item.finding && word('md.finding', item.finding)}
              {item.first && ` · ${item.first.work_name}`}
            </span>
          </span>
        </>
      )}
      pane={(id) => <MoneyDisputePane key={id} id={id} />}
    />
  );
}
