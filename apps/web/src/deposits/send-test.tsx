import { type DepositChannel, sendTestDeposit } from '@sathorn/api';
import { useCall } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { formatAsset } from '@sathorn/text';
import { Button, Card, Chip, useText } from '@sathorn/ui';
import { useState } from 'react';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import { useTakeRecord } from '../parts/money/use-records.ts';

const AMOUNTS = ['50', '200', '1000'] as const;

/** Demo only: sends a real transaction on the local chain, which is then processed like any deposit. */
export function SendTest({ channel }: { channel: DepositChannel }) {
  const { t, presentation } = useText<'money'>();
  const [amount, setAmount] = useState<string>(AMOUNTS[1]);
  const send = useCall(sendTestDeposit, { withoutOverlay: true });
  const takeRecord = useTakeRecord();
  const { ltr } = useMoneyFormats();
  const shown = (text: string) => ltr(formatAsset(text, 'USDT', presentation));

  const run = async () => {
    const answer = await send.submit({ channel: channel.channel, amount });
    if (!answer.ok) return;
    showToast(t('deposit.test_sent'), 'success', { durationMs: 4000 });
    takeRecord({});
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
    </Card>
  );
}
