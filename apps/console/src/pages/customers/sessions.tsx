import { endCustomerSessions, listCustomerSessions } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { EmptyState, ReadGate, RefusalNote } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLiveRead } from '../../parts/use-live-read.ts';
import { useAct } from '../../use-act.ts';

export function Sessions({ id }: { id: string }) {
  const { t, dateTime } = useTexts();
  const operator = useOperator();
  const query = useLiveRead(listCustomerSessions, { id });
  const end = useAct(endCustomerSessions);
  const mayEnd = hasAnyRole(operator, ['support', 'compliance', 'admin']);
  return (
    <section className="card split">
      <ReadGate query={query}>
        {(sessions) => (
          <ScrollRegion label={t('customers.tab.sessions')}>
            {sessions.length === 0 && <EmptyState title={t('customers.no_sessions')} />}
            <table>
              <thead>
                <tr>
                  <th>{t('customers.device')}</th>
                  <th>{t('customers.network')}</th>
                  <th>{t('customers.signed_in')}</th>
                  <th>{t('customers.used')}</th>
                  <th>
                    <span className="unseen">{t('customers.end_session')}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {sessions.map((session) => (
                  <tr key={session.id}>
                    <td className="trim">{session.device}</td>
                    <td className="mono">{session.address}</td>
                    <td className="m">{dateTime(session.created_at)}</td>
                    <td className="m">{dateTime(session.used_at)}</td>
                    <td className="num">
                      {mayEnd && (
                        <Button
                          size="small"
                          look="soft"
                          busy={end.isBusy}
                          onClick={() => void end.run({ id, session: session.id })}
                        >
                          {t('customers.end_session')}
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {mayEnd && sessions.length > 0 && (
              <div className="foot">
                <Button size="small" look="danger" busy={end.isBusy} onClick={() => void end.run({ id })}>
                  {t('customers.end_all')}
                </Button>
                <RefusalNote refused={end.refused} />
              </div>
            )}
          </ScrollRegion>
        )}
      </ReadGate>
    </section>
  );
}
