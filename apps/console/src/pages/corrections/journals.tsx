import { listLedgerTransfers, readLedgerJournal } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { CasePage, CasePane } from '../../parts/case-page.tsx';
import { fromLocalInput } from '../../parts/local-time.ts';
import { Pager } from '../../parts/pager.tsx';
import { Facts, Money, Tag } from '../../parts/parts.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { goToRoute, routeHash, useRoute } from '../../route.ts';
import type { HeaderTab } from '../../shell/page-header.tsx';
import './corrections.css';
import { AccountCell } from './parts.tsx';
import { useCorrectionTexts } from './texts.ts';

const PURPOSES = [
  'deposit',
  'deposit_reversed',
  'withdrawal',
  'withdrawal_fee',
  'withdrawal_returned',
  'option_stake',
  'option_payout',
  'option_fee',
  'contract_trade',
  'contract_fee',
  'lockup_income',
  'liquidity_income',
  'sign_in_reward',
  'box_prize',
  'demo_money',
  'correction_refund',
  'correction_goodwill',
  'correction_reverse',
] as const;

export default function Journals({ tabs }: { tabs: readonly HeaderTab[] }) {
  const { t, code, dateTime, timeZone } = useTexts();
  const { b, word } = useCorrectionTexts();
  const { filter } = useRoute();
  const [page, setPage] = useState<string | null>(null);
  const at = Object.fromEntries(
    ['q', 'purpose', 'from', 'to'].flatMap((name) => (filter[name] ? [[name, filter[name]]] : [])),
  );
  const [from, to] = [filter.from, filter.to].map((local) => local && fromLocalInput(local, timeZone)?.toISOString());
  const query = useRead(listLedgerTransfers, {
    ...(filter.q && { q: filter.q }),
    ...(filter.purpose && { purpose: filter.purpose }),
    ...(from && { from }),
    ...(to && { to }),
    ...(page !== null && { page }),
  });
  return (
    <CasePage
      page="corrections"
      title={t('nav.corrections')}
      tabs={tabs}
      tab="journals"
      at={at}
      query={query}
      // Transfers of one journal share a pane.
      items={({ items }) =>
        items
          .filter((one, place) => items.findIndex(({ journal }) => journal === one.journal) === place)
          .map((one) => ({ ...one, id: one.journal }))
      }
      empty={query.data?.next ? b('more.journals') : b('none.journals')}
      head={
        <form
          className="hd ledger-filter"
          onSubmit={(event) => {
            event.preventDefault();
            const values = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]);
            setPage(null);
            goToRoute('corrections', null, { tab: 'journals', ...Object.fromEntries(values) });
          }}
        >
          <input
            name="q"
            data-find=""
            className="field grow"
            aria-label={b('find')}
            placeholder={b('find')}
            defaultValue={filter.q}
          />
          <select name="purpose" className="field" aria-label={b('purpose')} defaultValue={filter.purpose ?? ''}>
            <option value="">{b('any_purpose')}</option>
            {PURPOSES.map((one) => (
              <option key={one} value={one}>
                {code('purpose', one)}
              </option>
            ))}
          </select>
          <input
            name="from"
            type="datetime-local"
            className="field"
            aria-label={b('from')}
            title={b('from')}
            defaultValue={filter.from}
          />
          <input
            name="to"
            type="datetime-local"
            className="field"
            aria-label={b('to')}
            title={b('to')}
            defaultValue={filter.to}
          />
          <Button type="submit" size="small" icon="search">
            {t('act.find')}
          </Button>
        </form>
      }
      table={{
        look: 's wraps',
        head: (
          <>
            <th className="num">{b('sequence')}</th>
            <th>{b('at')}</th>
            <th>{b('purpose')}</th>
            <th>{b('debit')}</th>
            <th>{b('credit')}</th>
            <th className="num">{b('amount')}</th>
          </>
        ),
        cells: (one, href) => (
          <>
            <td className="num mono">
              <a href={href}>{one.sequence}</a>
            </td>
            <td className="m">{dateTime(one.at)}</td>
            <td>
              {code('purpose', one.purpose)}{' '}
              <span className="c">{one.kind !== 'single' && word('move', one.kind)}</span>
            </td>
            <td>
              <AccountCell account={one.debit} />
            </td>
            <td>
              <AccountCell account={one.credit} />
            </td>
            <td className="num">
              <Money of={one.amount} asset={one.asset} /> {one.asset}
            </td>
          </>
        ),
      }}
      foot={({ next }) => <Pager page={page} next={next} onPage={setPage} />}
      pane={(id) => <JournalPane key={id} id={id} />}
    />
  );
}

/** Formats a stored answer for reading, whatever it contains. */
function readable(answer: string): string {
  try {
    return JSON.stringify(JSON.parse(answer), null, 2);
  } catch {
    return answer;
  }
}

function JournalPane({ id }: { id: string }) {
  const { code, dateTime } = useTexts();
  const { b, word } = useCorrectionTexts();
  const operator = useOperator();
  const query = useRead(readLedgerJournal, { id });
  const mayCorrect = hasAnyRole(operator, ['finance']);
  return (
    <CasePane
      query={query}
      head={(shown) => (
        <>
          <h2 className="mono break">{shown.id}</h2>
          {shown.refusal !== null && (
            <Tag look="warn">
              {b('refused_as')}: {shown.refusal}
            </Tag>
          )}
        </>
      )}
    >
      {(shown) => (
        <>
          <Facts
            facts={[
              [
                b('journal_kind'),
                <span key="kind" className="mono">
                  {shown.kind}
                </span>,
              ],
              [b('at'), dateTime(shown.at)],
              [b('transfers'), String(shown.count)],
              [
                b('digest'),
                <span key="digest" className="mono break">
                  {shown.digest}
                </span>,
              ],
            ]}
          />
          {shown.transfers.length < shown.count && (
            <p className="note">{b('some', { shown: shown.transfers.length, count: shown.count })}</p>
          )}
          <ScrollRegion label={b('transfers')}>
            <table className="s wraps">
              <thead>
                <tr>
                  <th className="num">{b('sequence')}</th>
                  <th>{b('purpose')}</th>
                  <th>{b('debit')}</th>
                  <th>{b('credit')}</th>
                  <th className="num">{b('amount')}</th>
                </tr>
              </thead>
              <tbody>
                {shown.transfers.map((one) => {
                  const isMoved = one.kind === 'single' || one.kind === 'post';
                  const owner = one.debit.customer ?? one.credit.customer;
                  const kind = one.debit.customer && one.debit.name === 'spot' ? 'refund' : 'reverse';
                  return (
                    <tr key={one.sequence}>
                      <td className="num mono">{one.sequence}</td>
                      <td>
                        {code('purpose', one.purpose)}{' '}
                        <span className="c">{one.kind !== 'single' && word('move', one.kind)}</span>
                        {mayCorrect && isMoved && owner && (
                          <>
                            {' '}
                            <a
                              href={routeHash('corrections', null, {
                                tab: 'new',
                                kind,
                                customer: owner.id,
                                transfer: one.sequence,
                                case_kind: 'journal',
                                case_id: one.journal,
                              })}
                            >
                              {b('correct')}
                            </a>
                          </>
                        )}
                      </td>
                      <td>
                        <AccountCell account={one.debit} />
                      </td>
                      <td>
                        <AccountCell account={one.credit} />
                      </td>
                      <td className="num b">
                        <Money of={one.amount} asset={one.asset} /> {one.asset}
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </ScrollRegion>
          <h3 className="c">{b('answer')}</h3>
          <pre className="note mono receipt" dir="ltr">
            {shown.answer === null || shown.answer === 'null' ? b('no_answer') : readable(shown.answer)}
          </pre>
        </>
      )}
    </CasePane>
  );
}
