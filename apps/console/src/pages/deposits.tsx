import { DEPOSIT_TABS, listDepositCases, readDepositCase } from '@sathorn/api';
import { Late } from '@sathorn/app/late';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { hasAnyRole, useOperator } from '../operator.ts';
import { exportLogAct, takeClaimAct } from '../parts/batch-acts.ts';
import { CasePage } from '../parts/case-page.tsx';
import { ClaimTag } from '../parts/claim.tsx';
import { Pager, usePageCursor } from '../parts/pager.tsx';
import { Tag } from '../parts/parts.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { useLiveRead } from '../parts/use-live-read.ts';
import { useRoute } from '../route.ts';
import DepositPane from './deposits/deposit-pane.tsx';
import { useNetworkTexts } from './other-network/texts.ts';
import { useSlipTexts } from './slips/texts.ts';

const loadStatements = () => import('./slips/statements.tsx');
const loadOpenCase = () => import('./other-network/open-case.tsx');

export default function Deposits() {
  const texts = useTexts();
  const { t, code, amount, dateTime } = texts;
  const operator = useOperator();
  const { filter } = useRoute();
  const tab = DEPOSIT_TABS.find((name) => name === filter.tab) ?? 'slip';
  const [page, setPage] = usePageCursor();
  const query = useLiveRead(listDepositCases, { tab, ...(page !== null && { page }) });
  const n = useNetworkTexts();
  const s = useSlipTexts();
  const [isOpening, setOpening] = useState(false);
  const [hasStatements, setStatements] = useState(false);
  return (
    <CasePage
      page="deposits"
      title={t('nav.deposits')}
      tabs={DEPOSIT_TABS.map((name) => ({ name, label: t(`deposits.tab.${name}`), count: query.data?.counts[name] }))}
      tab={tab}
      at={{ ...(page !== null && { page }) }}
      query={query}
      items={({ items }) => items}
      empty={t('case.none')}
      head={
        tab === 'slip' ? (
          <div className="bd row">
            <Button size="small" look="soft" onClick={() => setStatements(true)}>
              {s('statements')}
            </Button>
            {hasStatements && (
              <Late load={loadStatements} waiting={null}>
                {(Statements) => <Statements onClose={() => setStatements(false)} />}
              </Late>
            )}
          </div>
        ) : (
          tab === 'wrong_network' &&
          hasAnyRole(operator, ['support', 'finance', 'compliance']) && (
            <div className="bd row">
              <Button size="small" look="soft" onClick={() => setOpening(true)}>
                {n('open')}
              </Button>
              {isOpening && (
                <Late load={loadOpenCase} waiting={null}>
                  {(OpenCase) => <OpenCase onClose={() => setOpening(false)} />}
                </Late>
              )}
            </div>
          )
        )
      }
      line={(item) => (
        <>
          {' '}
          <span className="row sp">
            <b>
              {item.fiat
                ? `฿${amount(item.fiat.came ?? item.fiat.amount)}`
                : item.elsewhere
                  ? `${amount(item.elsewhere.amount)} ${item.elsewhere.token}`
                  : item.recovery && item.reason !== 'below_minimum' && item.reason !== 'counted'
                    ? code('reason', item.reason ?? '')
                    : `${amount(item.amount)} USDT`}
            </b>
            <Tag look={item.status === 'pending' ? 'brand' : undefined}>
              {tab === 'wrong_network' ? code('step', item.step) : code('status', item.status)}
            </Tag>
          </span>
          <span className="row sp c">
            <span>
              <bdi>{item.customer.username}</bdi> ·{' '}
              {item.elsewhere ? n(`network.${item.elsewhere.network}`) : item.channel} · {dateTime(item.created_at)}
            </span>
            <ClaimTag kind="deposit" id={item.id} />
          </span>
        </>
      )}
      batch={[
        takeClaimAct(texts, 'deposit'),
        ...(hasAnyRole(operator, ['compliance', 'admin']) ? [exportLogAct(texts)] : []),
      ]}
      nameOf={({ order_number: number }) => number}
      foot={({ next }) => <Pager page={page} next={next} onPage={setPage} />}
      ahead={readDepositCase}
      pane={(id) => <DepositPane key={id} id={id} />}
    />
  );
}
