import { disputeOption } from '@sathorn/api';
import { formatDate } from '@sathorn/text';
import { Button, ListRow, Sheet, useText } from '@sathorn/ui';
import { useCall } from '../../client/use-call.ts';
import { showToast } from '../../shell/toasts.ts';

const REASONS = ['price', 'amount', 'time', 'other'] as const;

/** Reasons to choose from: nothing to type in a sheet, where the phone's keyboard would cover it. */
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
  const send = async (reason: (typeof REASONS)[number]) => {
    const answer = await dispute.submit({ id, reason: t(`dispute.reason.${reason}`) });
    if (!answer.ok) return;
    onClose();
    onDone();
    showToast(
      t('dispute.opened', { deadline: formatDate(answer.data.deadline, 'dateTime', presentation) }),
      'success',
      4000,
    );
  };
  return (
    <Sheet open={open} onClose={onClose} title={t('dispute.title')} blocking={dispute.isBusy}>
      <p className="muted">{t('dispute.lead')}</p>
      {REASONS.map((reason) => (
        <ListRow key={reason} title={t(`dispute.reason.${reason}`)} onPress={() => void send(reason)} />
      ))}
      <Button look="plain" onClick={onClose}>
        {t('shell.cancel')}
      </Button>
    </Sheet>
  );
}
