import { listDepositChannels } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { Late, preloadPart } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import { Card, EmptyState, ErrorState, NavLink, Skeleton, Tabs, useText } from '@sathorn/ui';
import { useEffect } from 'react';
import { MoneyTexts } from '../parts/money/money-texts.tsx';
import { DepositRow } from '../parts/money/record-rows.tsx';
import { StaleLine } from '../parts/money/stale-line.tsx';
import { usePendingDeposits } from '../parts/money/use-records.ts';
import { CryptoDeposit } from './crypto-deposit.tsx';
import { DEPOSIT_PATH } from './deposit-path.ts';
import './deposit.css';
import { LateNotes } from '../parts/offer/late-notes.tsx';

const loadBankOrder = () => import('./bank-order.tsx');
const loadFindDeposit = () => import('./find-deposit.tsx');
const KINDS = ['crypto', 'promptpay', 'bank'] as const;

/** `#/pages/Recharge/Recharge`: deposits by chain, PromptPay or bank. */
export default function Deposit() {
  return (
    <MoneyTexts>
      <DepositPage />
    </MoneyTexts>
  );
}

function DepositPage() {
  const { t } = useText<'money'>();
  const { query, navigate } = useNavigation();
  const isFinding = query.has('find');
  return (
    <>
      <PageBar
        title={t(isFinding ? 'find.title' : 'deposit.title')}
        trail={<NavLink onPress={() => navigate('/pages/Recharge/record')}>{t('money.records')}</NavLink>}
      />
      <Channels isFinding={isFinding} />
    </>
  );
}

function Channels({ isFinding }: { isFinding: boolean }) {
  const { t } = useText<'money'>();
  const texts = useText();
  const { query, redirect, navigate } = useNavigation();
  const { data, error, refetch } = useRead(listDepositChannels, {}, { everyMs: 60_000 });
  const pending = usePendingDeposits();
  // Preloads the code of the other tabs and of the hash search.
  useEffect(() => {
    for (const load of [loadBankOrder, loadFindDeposit]) preloadPart(load);
  }, []);

  if (!data || pending === null) {
    return (
      <div className="page">
        {error && !data ? (
          <Card>
            <ErrorState
              title={t('deposit.failed')}
              action={{ label: t('shell.try_again'), onPress: () => void refetch() }}
            >
              {failureText(error.failure, texts)}
            </ErrorState>
          </Card>
        ) : (
          <ChannelsSkeleton />
        )}
      </div>
    );
  }
  const kinds = KINDS.filter((kind) => data.some((channel) => channel.kind === kind));
  const kind = kinds.find((known) => known === query.get('by')) ?? kinds[0];
  const offered = data.filter((channel) => channel.kind === kind);
  const channel = offered.find((known) => known.channel === query.get('channel')) ?? offered[0];
  if (!kind || !channel) {
    return (
      <div className="page">
        <Card>
          <EmptyState
            picture="wallet"
            title={t('deposit.no_channels')}
            action={{ label: t('screen.service'), onPress: () => navigate('/pages/service/index') }}
          />
        </Card>
      </div>
    );
  }
  if (isFinding && kind === 'crypto') {
    return (
      <Late load={loadFindDeposit} waiting={<Waiting />}>
        {(FindDeposit) => <FindDeposit channel={channel} given={query.get('find') ?? ''} />}
      </Late>
    );
  }
  return (
    <div className="page">
      <LateNotes pauses={['deposits']} changes={[]} />
      <Tabs
        label={t('deposit.ways')}
        tabs={kinds.map((value) => ({ value, label: t(`money.kind.${value}`) }))}
        value={kind}
        onChange={(by) => redirect(DEPOSIT_PATH, { by })}
        panelId="deposit-way"
      />
      <StaleLine />
      <div id="deposit-way" role="tabpanel" aria-label={t(`money.kind.${kind}`)} className="deposit-way">
        {kind === 'crypto' ? (
          <CryptoDeposit channels={offered} channel={channel} pending={pending} />
        ) : (
          <>
            <Late load={loadBankOrder} waiting={<Waiting />}>
              {(BankOrder) => <BankOrder key={channel.channel} channel={channel} />}
            </Late>
            {pending.length > 0 && (
              <Card tight className="money-rows">
                {pending.map((record) => (
                  <DepositRow key={record.id} record={record} />
                ))}
              </Card>
            )}
          </>
        )}
      </div>
    </div>
  );
}

function Waiting() {
  return (
    <Card>
      <Skeleton height={200} />
    </Card>
  );
}

/** Has the height of the first tab with one chain. */
function ChannelsSkeleton() {
  return (
    <>
      <Skeleton height={50} />
      <Card className="deposit-address">
        <Skeleton height={30} width={150} />
        <Skeleton height={184} width={184} />
        <Skeleton height={14} width={170} />
        <Skeleton height={44} />
        <Skeleton height={48} />
      </Card>
      <Card>
        <Skeleton height={84} />
      </Card>
    </>
  );
}
