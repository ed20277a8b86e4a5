import { listWithdrawalCases, type ResultOf, readWithdrawalCase, WITHDRAWAL_TABS } from '@sathorn/api';
import { hasAnyRole, useOperator } from '../operator.ts';
import { exportLogAct, takeClaimAct } from '../parts/batch-acts.ts';
import { CasePage, ListSearch } from '../parts/case-page.tsx';
import { ClaimTag } from '../parts/claim.tsx';
import { Pager, usePageCursor } from '../parts/pager.tsx';
import { DueClock, Money, VotePips } from '../parts/parts.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { useLiveRead } from '../parts/use-live-read.ts';
import { goToRoute, useRoute } from '../route.ts';
import WithdrawalPane from './withdrawals/withdrawal-pane.tsx';

type Line = ResultOf<typeof listWithdrawalCases>['items'][number];

const shortPayee = ({ payee }: Line): string => {
  if (payee.address) return `${payee.address.slice(0, 6)}…${payee.address.slice(-4)}`;
  return `${payee.bank ?? ''} ${payee.number ?? payee.name ?? ''}`.trim();
};

export default function Withdrawals() {
  const texts = useTexts();
  const { t, code, dateTime } = texts;
  const operator = useOperator();
  const { filter } = useRoute();
  const tab = WITHDRAWAL_TABS.find((name) => name === filter.tab) ?? 'review';
  const [page, setPage] = usePageCursor();
  const at = { ...(filter.q && { q: filter.q }), ...(page !== null && { page }) };
  const query = useLiveRead(listWithdrawalCases, { status: tab, ...at });
  return (
    <CasePage
      page="withdrawals"
      title={t('nav.withdrawals')}
      tabs={WITHDRAWAL_TABS.map((name) => ({
        name,
        label: t(`withdrawals.tab.${name}`),
        count: query.data?.counts[name],
      }))}
      tab={tab}
      at={at}
      query={query}
      items={({ items }) => items}
      empty={t('case.none')}
      head={<ListSearch key={tab} onFind={(q) => goToRoute('withdrawals', null, { tab, q })} />}
      table={{
        head: (
          <>
            {' '}
            <th>{t('withdrawals.left')}</th>
            <th>{t('withdrawals.who')}</th>
            <th className="num">{t('withdrawals.amount')}</th>
            <th>{t('withdrawals.to')}</th>
            <th>{t('withdrawals.people')}</th>
            <th>{t('withdrawals.taken')}</th>
          </>
        ),
        cells: (item, href) => (
          <>
            {' '}
            <td>
              {item.status === 'review' ? (
                <DueClock due={item.promised_at} from={item.created_at} />
              ) : (
                <span className="m">{code('status', item.status)}</span>
              )}
            </td>
            <td className="two-lines">
              <a href={href}>
                <b>
                  <bdi>{item.customer.username}</bdi>
                </b>
              </a>
              <small className="mono">{item.order_number}</small>
            </td>
            <td className="num two-lines">
              <b>
                <Money of={item.amount} />
              </b>
              {item.fiat && (
                <small>
                  ≈ ฿<Money of={item.fiat.amount} />
                </small>
              )}
            </td>
            <td className="two-lines">
              <span className="mono">{shortPayee(item)}</span>
              <small>{item.channel}</small>
            </td>
            <td className="two-lines">
              <VotePips given={item.approvals.length} need={item.people} />
              <small>
                {item.delayed_until ? dateTime(item.delayed_until) : item.why.map((why) => code('why', why)).join(', ')}
              </small>
            </td>
            <td>
              <ClaimTag kind="withdrawal" id={item.id} />
            </td>
          </>
        ),
      }}
      batch={[
        takeClaimAct(texts, 'withdrawal'),
        ...(hasAnyRole(operator, ['compliance', 'admin']) ? [exportLogAct(texts)] : []),
      ]}
      nameOf={({ order_number: number }) => number}
      foot={({ next }) => <Pager page={page} next={next} onPage={setPage} />}
      ahead={readWithdrawalCase}
      pane={(id) => <WithdrawalPane key={id} id={id} />}
    />
  );
}
