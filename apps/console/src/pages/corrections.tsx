import { CORRECTION_TABS, listCorrections } from '@sathorn/api';
import { Late, type LoadPart } from '@sathorn/app/late';
import { hasAnyRole, useOperator } from '../operator.ts';
import { CasePage } from '../parts/case-page.tsx';
import { Pager, usePageCursor } from '../parts/pager.tsx';
import { DueClock, Money } from '../parts/parts.tsx';
import { SkeletonList } from '../parts/states.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { useLiveRead } from '../parts/use-live-read.ts';
import { goToRoute, useRoute } from '../route.ts';
import { type HeaderTab, PageHeader } from '../shell/page-header.tsx';
import { LedgerAccounts } from './corrections/accounts.tsx';
import CorrectionPane from './corrections/correction-pane.tsx';
import { useCorrectionTexts } from './corrections/texts.ts';

const loadJournals: LoadPart<{ tabs: readonly HeaderTab[] }> = () => import('./corrections/journals.tsx');
const loadForm: LoadPart<object> = () => import('./corrections/new-correction.tsx');

export default function Corrections() {
  const { t, dateTime } = useTexts();
  const { b, word } = useCorrectionTexts();
  const operator = useOperator();
  const { id, filter } = useRoute();
  const isMaker = hasAnyRole(operator, ['finance']);
  // A link from Approvals names a case and no tab.
  const wanted = filter.tab ?? (id === null && isMaker ? 'new' : 'waiting');
  const list = CORRECTION_TABS.find((one) => one === wanted);
  const [page, setPage] = usePageCursor();
  const query = useLiveRead(listCorrections, { tab: list ?? 'waiting', ...(list && page !== null && { page }) });
  const tabs: HeaderTab[] = [
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
      <Late load={loadJournals} waiting={<SkeletonList />}>
        {(Journals) => <Journals tabs={tabs} />}
      </Late>
    );
  if (!list)
    return (
      <>
        <PageHeader
          title={t('nav.corrections')}
          tabs={tabs}
          current={wanted}
          isStale={query.isError}
          onTab={(name) => goToRoute('corrections', null, { tab: name })}
        />
        {/* A new key for each link, so that the form starts with the link's values. */}
        {wanted === 'new' && isMaker ? (
          <Late load={loadForm} waiting={<SkeletonList />}>
            {(NewCorrection) => <NewCorrection key={JSON.stringify(filter)} />}
          </Late>
        ) : (
          <LedgerAccounts />
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
              <DueClock due={item.expires_at} from={item.made_at} />
            ) : item.step === 'announced' && item.due_at ? (
              <DueClock due={item.due_at} from={item.made_at} />
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
