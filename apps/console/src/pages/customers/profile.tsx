import { readProfile } from '@sathorn/api';
import { Late, type LoadPart } from '@sathorn/app/late';
import { may, useOperator } from '../../operator.ts';
import { Loaded } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLive } from '../../parts/use-live.ts';
import { goTo, useRoute } from '../../route.ts';
import { Top } from '../../shell/top.tsx';
import { Actions } from './actions.tsx';
import { Certifications } from './certifications.tsx';
import { FactorTab } from './factor-resets.tsx';
import { LedgerTab } from './ledger.tsx';
import { Orders } from './orders.tsx';
import { Overview } from './overview.tsx';
import { Payees } from './payees.tsx';
import { Person } from './person.tsx';
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
      (name !== 'ledger' || may(operator, ['compliance', 'finance', 'admin'])) &&
      (name !== 'certifications' || may(operator, ['compliance', 'support'])) &&
      (name !== 'factor' || may(operator, ['support', 'compliance', 'admin'])),
  );
  const tab = tabs.find((name) => name === filter.tab) ?? 'overview';
  const query = useLive(readProfile, { id });
  return (
    <>
      <Top
        title={query.data ? query.data.username : t('nav.customers')}
        isStale={query.isError}
        tabs={tabs.map((name) => ({
          name,
          label: name === 'certifications' ? t('nav.certifications') : t(`customers.tab.${name}`),
        }))}
        current={tab}
        onTab={(name) => goTo('customers', id, { tab: name })}
      />
      <div className="page">
        <Loaded query={query}>
          {(profile) => (
            <div className="columns profile">
              <Person profile={profile} />
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
              {tab === 'actions' && <Actions id={id} />}
            </div>
          )}
        </Loaded>
      </div>
    </>
  );
}
