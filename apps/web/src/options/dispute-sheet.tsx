import { disputeOption } from '@sathorn/api';
import { useCall } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { formatDate } from '@sathorn/text';
import { Button, RadioList, Sheet, useText } from '@sathorn/ui';
import { useState } from 'react';

const REASONS = ['price', 'amount', 'time', 'other'] as const;
type Reason = (typeof REASONS)[number];

/** Offers a choice of reasons and no text input, because the phone's keyboard would cover the sheet. */
export default function DisputeSheet({
  id,
  open,
  onClose,
  onDone,
}: {
  id: string;
  open: boolean;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t, presentation } = useText();
  const dispute = useCall(disputeOption);
  const [reason, setReason] = useState<Reason | ''>('');
  const send = async () => {
    if (reason === '') return;
    const answer = await dispute.submit({ id, reason: t(`dispute.reason.${reason}`) });
    if (!answer.ok) return;
    onClose();
    onDone();
    showToast(
      t('dispute.opened', { deadline: formatDate(answer.data.deadline, 'dateTime', presentation) }),
      'success',
      { durationMs: 4000 },
    );
  };
  return (
    <Sheet open={open} onClose={onClose} title={t('dispute.title')} blocking={dispute.isBusy}>
      <p className="muted">{t('dispute.lead')}</p>
      <RadioList<Reason | ''>
        legend={t('dispute.title')}
        name="reason"
        value={reason}
        onChange={setReason}
        choices={REASONS.map((value) => ({ value, label: t(`dispute.reason.${value}`) }))}
      />
      <Button busy={dispute.isBusy} disabled={reason === ''} onClick={() => void send()}>
        {t('dispute.send')}
      </Button>
      <Button look="plain" onClick={onClose}>
        {t('shell.cancel')}
      </Button>
    </Sheet>
  );
}
