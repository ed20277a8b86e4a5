import type { RunLineView } from '@sathorn/api';
import type { ReactNode } from 'react';
import { GroupedText, Money, Tag } from '../../parts/parts.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { routeHash } from '../../route.ts';
import { useTreasuryTexts } from './texts.ts';

/** Look-alikes come first, then addresses that were never paid. */
const weightOf = ({ withdrawal }: RunLineView): number =>
  withdrawal?.looks_like ? 0 : withdrawal?.is_first ? 1 : withdrawal ? 2 : 3;

export function LinesTable({
  label,
  lines,
  choice,
}: {
  label: string;
  lines: readonly RunLineView[];
  /** A first column, for instance with a box. */
  choice?: (line: RunLineView) => ReactNode;
}) {
  const { say } = useTreasuryTexts();
  const sorted = lines.toSorted((a, b) => weightOf(a) - weightOf(b));
  return (
    <ScrollRegion label={label}>
      <table className="s wraps">
        <thead>
          <tr>
            {choice && <th aria-label={say('open', { count: '' })} />}
            <th>{say('order')}</th>
            <th>{say('customer')}</th>
            <th>{say('receiver')}</th>
            <th className="num">{say('amount')}</th>
            <th>{say('examined')}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((line) => {
            const { withdrawal, receiver, amount } = line;
            return (
              <tr key={withdrawal?.id ?? receiver}>
                {choice && <td>{choice(line)}</td>}
                <td>
                  {withdrawal ? (
                    <a href={routeHash('withdrawals', withdrawal.id)}>{withdrawal.order_number}</a>
                  ) : (
                    say('top_up')
                  )}
                </td>
                <td>
                  <bdi>{withdrawal?.customer.username}</bdi>
                </td>
                <td>
                  <GroupedText text={receiver} />
                  {withdrawal?.is_first && (
                    <>
                      {' '}
                      <Tag look="warn">{say('first')}</Tag>
                    </>
                  )}
                  {withdrawal?.looks_like && <p className="da">{say('alike', { address: withdrawal.looks_like })}</p>}
                </td>
                <td className="num b">
                  <Money of={amount} />
                </td>
                <td>{withdrawal?.examined_by.map(({ work_name: name }) => name).join(', ')}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
