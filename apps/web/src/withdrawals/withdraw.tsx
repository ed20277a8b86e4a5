import { listPayees, listWithdrawalRates } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { Late, preloadPart } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import { Card, ErrorState, NavLink, Skeleton, Tabs, useText } from '@sathorn/ui';
import { useAccount } from '../parts/account/use-account.ts';
import { StaleLine } from '../parts/money/stale-line.tsx';
import { type ChannelPayee, channelPayeesOf } from './channel-payee.ts';
import { WithdrawalNotReady } from './withdrawal-not-ready.tsx';
import { WithdrawalTexts } from './withdrawal-texts.tsx';
import './withdraw.css';
import { LateNotes } from '../parts/offer/late-notes.tsx';

const PATH = '/pages/Withdraw/Withdraw';
const KINDS = ['wallet', 'card'] as const;
type Kind = (typeof KINDS)[number];
/** The pages on which payees are added. */
const ADD_PAGES = { wallet: '/pages/mine/addWallet', card: '/pages/mine/setting/tradeAccount' } as const;

const loadForm = () => import('./withdraw-form.tsx');
// Loads the form's code while rates and payees are read.
preloadPart(loadForm);

/** `#/pages/Withdraw/Withdraw`: withdraws to a saved wallet or bank card. */
export default function Withdraw() {
  return (
    <WithdrawalTexts>
      <WithdrawPage />
    </WithdrawalTexts>
  );
}

function WithdrawPage() {
  const { t } = useText<'money' | 'withdrawals'>();
  const { navigate, query, redirect } = useNavigation();
  const kind: Kind = query.get('to') === 'card' ? 'card' : 'wallet';
  return (
    <>
      <PageBar
        title={t('withdrawal.title')}
        trail={<NavLink onPress={() => navigate('/pages/Withdraw/record')}>{t('money.records')}</NavLink>}
      />
      <div className="page">
        <Tabs
          label={t('withdrawal.to_what')}
          tabs={KINDS.map((value) => ({ value, label: t(`withdrawal.kind.${value}`) }))}
          value={kind}
          onChange={(to) => redirect(PATH, { to })}
          panelId="withdraw-to"
        />
        <StaleLine />
        <LateNotes pauses={['withdrawals', ...(kind === 'card' ? ['bank'] : [])]} changes={['withdrawal']} />
      </div>
      <div id="withdraw-to" role="tabpanel" aria-label={t(`withdrawal.kind.${kind}`)} className="withdraw-panel">
        <Destination key={kind} kind={kind} />
      </div>
    </>
  );
}

function Destination({ kind }: { kind: Kind }) {
  const { t } = useText<'money' | 'withdrawals'>();
  const texts = useText();
  const { query, navigate } = useNavigation();
  const rates = useRead(listWithdrawalRates, {}, { everyMs: 60_000 });
  const book = useRead(listPayees, {}, { freshForMs: 0 });
  const { user } = useAccount();
  const failed = [rates, book].find(({ data, error }) => error && !data);

  if (failed?.error) {
    return (
      <div className="page">
        <Card>
          <ErrorState
            title={t('withdrawal.failed')}
            action={{
              label: t('shell.try_again'),
              onPress: () => {
                void rates.refetch();
                void book.refetch();
              },
            }}
          >
            {failureText(failed.error.failure, texts)}
          </ErrorState>
        </Card>
      </div>
    );
  }
  if (!rates.data || !book.data || !user) {
    return <Waiting />;
  }
  const payees = channelPayeesOf(kind, book.data, rates.data);
  const payee: ChannelPayee | undefined = payees.find(({ id }) => id === query.get('payee')) ?? payees[0];
  const add = () => navigate(ADD_PAGES[kind]);

  if (!payee || !user.has_paypass) {
    return <WithdrawalNotReady kind={kind} user={user} hasPayee={payee !== undefined} onAdd={add} />;
  }
  return (
    <Late load={loadForm} waiting={<Waiting />}>
      {(WithdrawForm) => <WithdrawForm key={payee.id} payee={payee} payees={payees} user={user} onAdd={add} />}
    </Late>
  );
}

function Waiting() {
  return (
    <div className="page">
      <Card>
        <Skeleton height={112} />
      </Card>
      <Card>
        <Skeleton height={150} />
      </Card>
      <Card>
        <Skeleton height={180} />
      </Card>
    </div>
  );
}
