import { readProfile } from '@sathorn/api';
import { Late, type LoadPart } from '@sathorn/app/late';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { ReadGate } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLiveRead } from '../../parts/use-live-read.ts';
import { goToRoute, useRoute } from '../../route.ts';
import { PageHeader } from '../../shell/page-header.tsx';
import { StaffActions } from './actions.tsx';
import { Certifications } from './certifications.tsx';
import { FactorTab } from './factor-resets.tsx';
import { LedgerTab } from './ledger.tsx';
import { Orders } from './orders.tsx';
import { Overview } from './overview.tsx';
import { Payees } from './payees.tsx';
import { PersonDetails } from './person-details.tsx';
import { Sessions } from './sessions.tsx';

const loadMessages: LoadPart<{ id: string }> = () => import('./messages.tsx');

const TABS = [
  'overview',
  'ledger',
  'orders',
  'payees',
  'certifications',
  'sessions',
  'factor',
  'messages',
  'actions',
] as const;

export function Profile({ id }: { id: string }) {
  const { t } = useTexts();
  const operator = useOperator();
  const { filter } = useRoute();
  const tabs = TABS.filter(
    (name) =>
      (name !== 'ledger' || hasAnyRole(operator, ['compliance', 'finance', 'admin'])) &&
      (name !== 'certifications' || hasAnyRole(operator, ['compliance', 'support'])) &&
      (name !== 'factor' || hasAnyRole(operator, ['support', 'compliance', 'admin'])),
  );
  const tab = tabs.find((name) => name === filter.tab) ?? 'overview';
  const query = useLiveRead(readProfile, { id });
  return (
    <>
      <PageHeader
        title={query.data ? query.data.username : t('nav.customers')}
        isStale={query.isError}
        tabs={tabs.map((name) => ({
          name,
          label: name === 'certifications' ? t('nav.certifications') : t(`customers.tab.${name}`),
        }))}
        current={tab}
        onTab={(name) => goToRoute('customers', id, { tab: name })}
      />
      <div className="page">
        <ReadGate query={query}>
          {(profile) => (
            <div className="columns profile">
              <PersonDetails profile={profile} />
              {tab === 'overview' && <Overview profile={profile} />}
              {tab === 'ledger' && <LedgerTab profile={profile} />}
              {tab === 'orders' && <Orders id={id} />}
              {tab === 'payees' && <Payees id={id} />}
              {tab === 'certifications' && <Certifications id={id} />}
              {tab === 'messages' && (
                <Late load={loadMessages} waiting={null}>
                  {(Messages) => <Messages id={id} />}
                </Late>
              )}
              {tab === 'sessions' && <Sessions id={id} />}
              {tab === 'factor' && <FactorTab id={id} />}
              {tab === 'actions' && <StaffActions id={id} />}
            </div>
          )}
        </ReadGate>
      </div>
    </>
  );
}
