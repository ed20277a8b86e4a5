import { type DepositChannel, type DepositRecord, sendTestDeposit } from '@sathorn/api';
import { useCall } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { formatAsset } from '@sathorn/text';
import { Button, Card, Chip, SkeletonRows, useText } from '@sathorn/ui';
import { useEffect, useRef, useState } from 'react';
import { DepositRow } from '../parts/money/record-rows.tsx';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import { useApplyRecordNews, useDeposit } from '../parts/money/use-records.ts';

const AMOUNTS = ['50', '200', '1000'] as const;

/** Demo only: sends a real transaction on the local chain, which is then processed like any deposit. */
export function SendTestDeposit({ channel, pending }: { channel: DepositChannel; pending: readonly DepositRecord[] }) {
  const { t, presentation } = useText<'money'>();
  const [amount, setAmount] = useState<string>(AMOUNTS[1]);
  const [sent, setSent] = useState<string | null>(null);
  const send = useCall(sendTestDeposit, { withoutOverlay: true });
  const takeRecord = useApplyRecordNews();
  const { ltr } = useMoneyFormats();
  const shown = (text: string) => ltr(formatAsset(text, 'USDT', presentation));

  const run = async () => {
    const answer = await send.submit({ channel: channel.channel, amount });
    if (!answer.ok) return;
    showToast(t('deposit.test_sent'), 'success', { durationMs: 4000 });
    takeRecord({});
    setSent(answer.data.hash);
  };
  return (
    <Card className="deposit-test">
      <p className="muted">{t('deposit.test_lead')}</p>
      <fieldset className="deposit-test-amounts">
        <legend className="unseen">{t('money.amount')}</legend>
        {AMOUNTS.map((choice) => (
          <Chip key={choice} pressed={choice === amount} onClick={() => setAmount(choice)}>
            {shown(choice)}
          </Chip>
        ))}
      </fieldset>
      <Button look="soft" busy={send.isBusy} onClick={() => void run()}>
        {t('deposit.test_send', { amount: shown(amount) })}
      </Button>
      {sent !== null && <Sent key={sent} found={pending.find(({ hash }) => hash === sent)} />}
    </Card>
  );
}

/** The progress of the sent transaction: until the platform has found it, and then its confirmations. */
function Sent({ found }: { found: DepositRecord | undefined }) {
  const { t } = useText<'money'>();
  const [id, setId] = useState('');
  if (found && id !== found.id) setId(found.id);
  const { record } = useDeposit(id);
  const shown = record ?? found;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    row.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={row} className="deposit-sent money-rows" role="status">
      {shown ? <DepositRow record={shown} /> : <SkeletonRows rows={1} label={t('deposit.test_sent')} />}
    </div>
  );
}
