import { cancelWithdrawal, type WithdrawalRecord } from '@sathorn/api';
import { failureText, useCall } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { Button, Confirm, useText } from '@sathorn/ui';
import { useState } from 'react';
import { PageFoot } from '../parts/money/page-foot.tsx';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import { useApplyRecordNews } from '../parts/money/use-records.ts';

/** Cancels a withdrawal before its approval, after a confirmation. */
export default function CancelWithdrawal({ record }: { record: WithdrawalRecord }) {
  const { t } = useText<'money' | 'withdrawals'>();
  const texts = useText();
  const { usdt } = useMoneyFormats();
  const [isAsking, setAsking] = useState(false);
  const cancel = useCall(cancelWithdrawal, { quiet: true, withoutOverlay: true });
  const takeRecord = useApplyRecordNews();
  const run = async () => {
    const answer = await cancel.submit({ id: record.id });
    setAsking(false);
    if (answer.ok) {
      takeRecord({ withdrawal: [answer.data] });
      showToast(t('said.cancel_done'), 'success');
      return;
    }
    // Operators may have approved it meanwhile, so its current state is read.
    takeRecord({});
    if (answer.code !== 'session_required')
      showToast(answer.isAnswered ? failureText(answer, texts) : t('said.cancel_failed'), 'danger');
  };
  return (
    <>
      <PageFoot why={t('withdrawal.cancel_free')}>
        <Button look="soft" onClick={() => setAsking(true)}>
          {t('withdrawal.cancel', { amount: usdt(record.amount) })}
        </Button>
      </PageFoot>
      <Confirm
        open={isAsking}
        title={t('withdrawal.cancel_title')}
        confirmLabel={t('withdrawal.cancel_confirm')}
        cancelLabel={t('withdrawal.cancel_keep')}
        onConfirm={() => void run()}
        onCancel={() => setAsking(false)}
        danger
        busy={cancel.isBusy}
      >
        {t('withdrawal.cancel_lead', { amount: usdt(record.amount) })}
      </Confirm>
    </>
  );
}
