import type { BankLineView } from '@sathorn/api';
import type { ReactNode } from 'react';
import { GroupedText, Money } from '../../parts/parts.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { routeHash } from '../../route.ts';
import { useTreasuryTexts } from './texts.ts';

export function BankLines({
  label,
  lines,
  choice,
}: {
  label: string;
  lines: readonly BankLineView[];
  /** A first column, for instance with a box. */
  choice?: (line: BankLineView) => ReactNode;
}) {
  const { t } = useTexts();
  const { say } = useTreasuryTexts();
  return (
    <ScrollRegion label={label}>
      <table className="s wraps">
        <thead>
          <tr>
            {choice && <th aria-label={say('bank.open', { count: '' })} />}
            <th>{say('order')}</th>
            <th>{say('customer')}</th>
            <th>{say('bank')}</th>
            <th>{say('bank.account')}</th>
            <th className="num">{say('bank.amount')}</th>
            <th>{say('examined')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => {
            const { withdrawal, bank, branch, account, name, amount } = line;
            const { id, order_number: number, customer, examined_by: by } = withdrawal;
            return (
              <tr key={id}>
                {choice && <td>{choice(line)}</td>}
                <td>
                  <a href={routeHash('withdrawals', id)}>{number}</a>
                </td>
                <td>
                  <bdi>{customer.username}</bdi>
                </td>
                <td className="two-lines">
                  <bdi>{bank}</bdi>
                  <small className="mono">{branch}</small>
                </td>
                <td className="two-lines">
                  <bdi>{name}</bdi>
                  <small>
                    {/^\d/.test(account) ? <GroupedText text={account} /> : <span dir="ltr">{account}</span>}
                  </small>
                </td>
                <td className="num b">
                  <Money of={amount} asset="THB" />
                </td>
                <td>
                  {by.map(({ work_name: one }) => one).join(', ') || (
                    <span className="c">{t('approvals.automatic')}</span>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
