import { listCustomerPayees } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { EmptyState, ReadGate } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { UnmaskDialog } from './unmask-dialog.tsx';

export function Payees({ id }: { id: string }) {
  const { t, dateTime } = useTexts();
  const operator = useOperator();
  const query = useRead(listCustomerPayees, { id });
  const [unmasking, setUnmasking] = useState<string | null>(null);
  const mayUnmask = hasAnyRole(operator, ['support', 'compliance', 'finance']);
  return (
    <section className="card split">
      <ReadGate query={query}>
        {(payees) =>
          payees.length === 0 ? (
            <EmptyState title={t('customers.no_payees')} />
          ) : (
            <ScrollRegion label={t('customers.tab.payees')}>
              <table>
                <thead>
                  <tr>
                    <th>{t('customers.payee_name')}</th>
                    <th>{t('customers.place')}</th>
                    <th>{t('customers.number')}</th>
                    <th>{t('customers.added')}</th>
                    <th>{t('customers.usable')}</th>
                    <th>
                      <span className="unseen">{t('customers.unmask')}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {payees.map((payee) => (
                    <tr key={payee.id}>
                      <td className="b">
                        <bdi>{payee.name}</bdi>
                      </td>
                      <td>{payee.place}</td>
                      <td className="mono">{payee.number}</td>
                      <td className="m">{dateTime(payee.added_at)}</td>
                      <td className="m">{dateTime(payee.usable_from)}</td>
                      <td className="num">
                        {mayUnmask && (
                          <Button size="small" look="soft" icon="eye" onClick={() => setUnmasking(payee.id)}>
                            {t('customers.show')}
                          </Button>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollRegion>
          )
        }
      </ReadGate>
      {unmasking && <UnmaskDialog id={id} payee={unmasking} onClose={() => setUnmasking(null)} />}
    </section>
  );
}
