import type { DepositRecord } from '@sathorn/api';
import { Card, Money, useText } from '@sathorn/ui';
import { shortHash } from '../parts/money/grouped-address.tsx';
import { MoneyNote } from '../parts/money/note.tsx';
import { RecordFacts } from '../parts/money/record-details.tsx';
import { Timeline, type TimelineStep } from '../parts/money/timeline.tsx';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import { NetworkTexts } from './network-texts.tsx';

/** Proper names, the same in every language. `other` has none. */
const NAMES = {
  ethereum: 'Ethereum',
  bsc: 'BNB Smart Chain',
  tron: 'Tron',
  polygon: 'Polygon',
  arbitrum: 'Arbitrum',
  optimism: 'Optimism',
  base: 'Base',
  avalanche: 'Avalanche',
  solana: 'Solana',
  ton: 'TON',
  bitcoin: 'Bitcoin',
} as const;

/** A transfer on a network that the platform does not read: the staff's text and the state of the case. */
export default function NetworkCase({ record }: { record: DepositRecord }) {
  return (
    <NetworkTexts>
      <Case record={record} />
    </NetworkTexts>
  );
}

function Case({ record }: { record: DepositRecord }) {
  const { t } = useText<'networks' | 'money'>();
  const { second, usdt } = useMoneyFormats();
  const { elsewhere } = record;
  if (!elsewhere) return null;
  const { network, token, amount, hash, note, ending, returned_in: back, corrected } = elsewhere;
  const steps: TimelineStep[] = [
    { key: 'opened', title: t('networks.opened'), time: second(record.created_at), state: 'done' },
    {
      key: 'working',
      title: t('networks.working'),
      note: ending ? undefined : t('networks.working_note'),
      state: ending ? 'done' : 'now',
    },
  ];
  if (ending)
    steps.push({
      key: 'ended',
      title: t(`networks.${ending}`),
      time: record.finished_at ? second(record.finished_at) : undefined,
      note: ending === 'credited' ? t('networks.corrected', { amount: usdt(corrected) }) : undefined,
      state: ending === 'unrecoverable' ? 'failed' : 'done',
    });
  const hashFact = (key: string, name: string, text: string) => ({
    key,
    name,
    value: <span className="mono">{shortHash(text)}</span>,
    copy: { text, label: t('money.copy_hash') },
  });
  return (
    <>
      <MoneyNote icon="mail" title={t('networks.note')}>
        <bdi>{note}</bdi>
      </MoneyNote>
      <Card>
        <Timeline steps={steps} />
      </Card>
      <Card tight>
        <RecordFacts
          record={record}
          facts={[
            {
              key: 'network',
              name: t('networks.network'),
              value: network === 'other' ? t('networks.other') : <bdi>{NAMES[network]}</bdi>,
            },
            {
              key: 'stated',
              name: t('networks.stated'),
              value: <Money amount={amount} asset={token} exact />,
            },
            hashFact('hash', t('money.hash'), hash),
            back === null ? null : hashFact('back', t('deposit.recover.hash'), back),
          ]}
        />
      </Card>
    </>
  );
}
