import { type ApprovalView, listApprovals } from '@sathorn/api';
import { CasePage } from '../parts/case-page.tsx';
import { Clock, Pips } from '../parts/parts.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { useLive } from '../parts/use-live.ts';
import { useRoute } from '../route.ts';
import { ApprovalPane } from './approvals/approval-pane.tsx';
import { inUnits, isInUnits } from './approvals/content-facts.ts';
import { given } from './approvals/given.ts';

const TABS = ['waiting', 'made', 'decided'] as const;
type Tab = (typeof TABS)[number];

export default function Approvals() {
  const { t, code, dateTime } = useTexts();
  const { filter } = useRoute();
  const tab: Tab = TABS.find((name) => name === filter.tab) ?? 'waiting';
  const query = useLive(listApprovals, { status: tab });
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
      query={query}
      items={({ items }) => items}
      empty={t('approvals.none')}
      line={(item) => (
        <>
          <span className="row sp">
            <b>{code('approval', item.kind)}</b>
            <Pips given={given(item)} need={item.need} />
          </span>
          <span className="row sp c">
            <span>{titleOf(item)}</span>
            {item.status === 'waiting' && item.expires_at ? (
              <Clock due={item.expires_at} from={item.made_at} />
            ) : (
              <span>{t(`status.${item.status}`)}</span>
            )}
          </span>
          <span className="c">
            {item.made_by?.work_name ?? t('customer')} · {dateTime(item.made_at)}
          </span>
        </>
      )}
      pane={(id) => <ApprovalPane key={id} id={id} />}
    />
  );
}

const UUID = /^[0-9a-f]{8}-/;

function titleOf({ kind, content, subject }: ApprovalView): string {
  const named = [content.username, content.work_name, content.order, content.title].find(
    (one) => typeof one === 'string',
  );
  const short = (id: string) => (UUID.test(id) ? id.slice(0, 8) : id);
  if (typeof named === 'string') return short(named.replace(/^\{brand\}: /, ''));
  const id = short(subject);
  const units = content.units ?? content.amount;
  return isInUnits(kind) && typeof units === 'string' ? `${inUnits(content, units)} · ${id}` : id;
}
