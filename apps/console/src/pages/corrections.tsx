import { CORRECTION_TABS, listCorrections } from '@sathorn/api';
import { Late, type LoadPart } from '@sathorn/app/late';
import { may, useOperator } from '../operator.ts';
import { CasePage } from '../parts/case-page.tsx';
import { Pager, usePage } from '../parts/pager.tsx';
import { Clock, Money } from '../parts/parts.tsx';
import { Skeletons } from '../parts/states.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { useLive } from '../parts/use-live.ts';
import { goTo, useRoute } from '../route.ts';
import { type Tab, Top } from '../shell/top.tsx';
import { Accounts } from './corrections/accounts.tsx';
import CorrectionPane from './corrections/correction-pane.tsx';
import { useBookTexts } from './corrections/texts.ts';

const loadJournals: LoadPart<{ tabs: readonly Tab[] }> = () => import('./corrections/journals.tsx');
const loadForm: LoadPart<object> = () => import('./corrections/new-correction.tsx');

export default function Corrections() {
  const { t, dateTime } = useTexts();
  const { b, word } = useBookTexts();
  const operator = useOperator();
  const { id, filter } = useRoute();
  const isMaker = may(operator, ['finance']);
  // A link from Approvals names a case and no tab.
  const wanted = filter.tab ?? (id === null && isMaker ? 'new' : 'waiting');
  const list = CORRECTION_TABS.find((one) => one === wanted);
  const [page, setPage] = usePage();
  const query = useLive(listCorrections, { tab: list ?? 'waiting', ...(list && page !== null && { page }) });
  const tabs: Tab[] = [
    ...(isMaker ? [{ name: 'new', label: b('tab.new') }] : []),
    ...CORRECTION_TABS.map((name) => ({
      name,
      label: b(`tab.${name}`),
      ...((name === 'waiting' || name === 'announced') && { count: query.data?.counts[name] }),
    })),
    { name: 'journals', label: b('tab.journals') },
    { name: 'accounts', label: b('tab.accounts') },
  ];
  if (wanted === 'journals')
    return (
      <Late load={loadJournals} waiting={<Skeletons />}>
        {(Journals) => <Journals tabs={tabs} />}
      </Late>
    );
  if (!list)
    return (
      <>
        <Top
          title={t('nav.corrections')}
          tabs={tabs}
          current={wanted}
          isStale={query.isError}
          onTab={(name) => goTo('corrections', null, { tab: name })}
        />
        {/* A new key for each link, so that the form starts with the link's values. */}
        {wanted === 'new' && isMaker ? (
          <Late load={loadForm} waiting={<Skeletons />}>
            {(NewCorrection) => <NewCorrection key={JSON.stringify(filter)} />}
          </Late>
        ) : (
          <Accounts />
        )}
      </>
    );
  return (
    <CasePage
      page="corrections"
      title={t('nav.corrections')}
      tabs={tabs}
      tab={list}
      at={{ ...(page !== null && { page }) }}
      query={query}
      items={({ items }) => items}
      empty={b(`none.${list}`)}
      line={(item) => (
        <>
          <span className="row sp">
            <b className="mono">{item.number}</b>
            {item.step === 'proposed' ? (
              <Clock due={item.expires_at} from={item.made_at} />
            ) : item.step === 'announced' && item.due_at ? (
              <Clock due={item.due_at} from={item.made_at} />
            ) : (
              <span className="c">{dateTime(item.ended_at ?? item.made_at)}</span>
            )}
          </span>
          <span className="row sp c">
            <span>
              {word('kind', item.kind)} · <bdi>{item.customer.username}</bdi> · {item.made_by.work_name}
              {item.checked_by && `, ${item.checked_by}`}
              {list === 'closed' && ` · ${word('step', item.step)}`}
            </span>
            <b className="num">
              <Money of={item.moved ?? item.amount} asset={item.asset} /> {item.asset}
            </b>
          </span>
        </>
      )}
      foot={({ next }) => <Pager page={page} next={next} onPage={setPage} />}
      pane={(of) => <CorrectionPane key={of} id={of} />}
    />
  );
}
