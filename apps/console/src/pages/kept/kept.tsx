import { type KeptItem, listKeptTexts } from '@sathorn/api';
import { useState } from 'react';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { Pager } from '../../parts/pager.tsx';
import { GroupedText, Money } from '../../parts/parts.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLiveRead } from '../../parts/use-live-read.ts';
import { routeHash } from '../../route.ts';
import { useKeptTexts } from './texts.ts';

/** The customer's receipts of trades that a restoration lost. Renders nothing if there are none. */
export default function Kept({ customer }: { customer: string }) {
  const { say } = useKeptTexts();
  const [page, setPage] = useState<string | null>(null);
  const { data } = useLiveRead(listKeptTexts, { customer, ...(page !== null && { page }) });
  if (!data || (data.items.length === 0 && page === null)) return null;
  return (
    <section className="card">
      <div className="hd">
        <h2>{say('kept')}</h2>
      </div>
      <p className="bd c">{say('kept.lead')}</p>
      <ScrollRegion label={say('kept')}>
        <table className="s wraps">
          <thead>
            <tr>
              <th>{say('kept.case')}</th>
              <th>{say('kept.order')}</th>
              <th>{say('kept.receipt')}</th>
              <th>{say('kept.books')}</th>
              <th className="num">{say('kept.owed')}</th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((item) => (
              <Row key={item.hash} customer={customer} item={item} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <Pager page={page} next={data.next} onPage={setPage} />
    </section>
  );
}

function Row({ customer, item }: { customer: string; item: KeptItem }) {
  const { say, word } = useKeptTexts();
  const { dateTime, amount } = useTexts();
  const operator = useOperator();
  const { correction } = item;
  return (
    <tr>
      <td className="mono whole">{item.case.number}</td>
      <td>
        {item.coin} {item.direction === 'up' ? '↑' : '↓'} {amount(item.stake)} USDT · {dateTime(item.accepted_at)}
        <br />
        <span className="c">
          {say('kept.hash')} <GroupedText text={item.hash} /> · {say('kept.key', { key: item.key })}
        </span>
      </td>
      <td>{word('kept.ended', item.ended ?? 'terms')}</td>
      <td>{word('kept.booked', item.booked)}</td>
      <td className="num">
        {item.amount === null ? (
          <span className="c">{word('kept.why', item.why_not ?? '')}</span>
        ) : (
          <>
            <Money of={item.amount} asset="USDT" />
            <br />
            {correction ? (
              <a href={routeHash('corrections', correction.id, { tab: 'waiting' })}>{correction.number}</a>
            ) : (
              hasAnyRole(operator, ['finance']) && (
                <a
                  href={routeHash('corrections', null, {
                    tab: 'new',
                    customer,
                    kept: item.hash,
                    case_kind: 'kept',
                    case_id: item.case.id,
                    reason: 'kept_receipt',
                  })}
                >
                  {say('kept.propose')}
                </a>
              )
            )}
          </>
        )}
      </td>
    </tr>
  );
}
