import { listApprovals } from '@sathorn/api';
import { CasePage } from '../parts/case-page.tsx';
import { Pager, usePageCursor } from '../parts/pager.tsx';
import { DueClock, Tag, VotePips } from '../parts/parts.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { useLiveRead } from '../parts/use-live-read.ts';
import { useRoute } from '../route.ts';
import { approvalSubjectName } from './approvals/approval-kind-views.ts';
import { ApprovalPane } from './approvals/approval-pane.tsx';
import { askerName } from './approvals/asker-name.ts';
import { countApprovals } from './approvals/count-approvals.ts';
import { useApprovalTexts } from './approvals/texts.ts';

const TABS = ['waiting', 'made', 'decided'] as const;
type Tab = (typeof TABS)[number];

export default function Approvals() {
  const texts = useTexts();
  const { t, code, dateTime } = texts;
  const { say } = useApprovalTexts();
  const { filter } = useRoute();
  const tab: Tab = TABS.find((name) => name === filter.tab) ?? 'waiting';
  const [page, setPage] = usePageCursor();
  const query = useLiveRead(listApprovals, { status: tab, ...(page !== null && { page }) });
  const counts = query.data?.counts;
  return (
    <CasePage
      page="approvals"
      title={t('nav.approvals')}
      tabs={[
        { name: 'waiting', label: t('approvals.for_you'), count: counts?.waiting },
        { name: 'made', label: t('approvals.made'), count: counts?.made },
        { name: 'decided', label: t('approvals.decided') },
      ]}
      tab={tab}
      at={{ ...(page !== null && { page }) }}
      query={query}
      items={({ items }) => items}
      empty={t('approvals.none')}
      line={(item) => (
        <>
          <span className="row sp">
            <b>{code('approval', item.kind)}</b>
            <VotePips given={countApprovals(item)} need={item.need} />
          </span>
          <span className="row sp c">
            <bdi>{approvalSubjectName(item, texts)}</bdi>
            {item.status !== 'waiting' && <span>{t(`status.${item.status}`)}</span>}
            {item.status === 'waiting' && item.expires_at && <DueClock due={item.expires_at} from={item.made_at} />}
          </span>
          <span className="row sp c">
            <span>
              {askerName(item, t('customer'))} · {dateTime(item.made_at)}
            </span>
            {tab === 'waiting' && (
              <Tag look={item.refusal === null ? 'brand' : undefined}>
                {say(item.refusal === null ? 'can_check' : 'not_you')}
              </Tag>
            )}
          </span>
        </>
      )}
      foot={({ next }) => <Pager page={page} next={next} onPage={setPage} />}
      pane={(id) => <ApprovalPane key={id} id={id} />}
    />
  );
}
