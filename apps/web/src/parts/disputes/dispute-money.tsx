import { listOwnMoneyDisputes, type MONEY_SUBJECTS, openMoneyDispute } from '@sathorn/api';
import { rowsOfPages, useCall, useReadPages } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { formatDate } from '@sathorn/text';
import { Badge, Button, Card, FieldFrame, RadioList, Sheet, useText } from '@sathorn/ui';
import { useState } from 'react';
import { DisputeTexts } from './dispute-texts.tsx';
import './dispute-money.css';

type Kind = (typeof MONEY_SUBJECTS)[number];
const REASONS = {
  deposit: ['missing', 'amount', 'other'],
  withdrawal: ['missing', 'amount', 'fee', 'not_mine', 'other'],
  correction: ['not_owed', 'amount', 'other'],
} as const satisfies Record<Kind, readonly string[]>;
/** The maximum length of a statement, minus room for the text of the chosen reason. */
const MORE_MAX = 800;

/** Shown at the end of a deposit, a withdrawal or a correction: its dispute, or a button to open one. */
export default function DisputeMoney({ kind, id }: { kind: Kind; id: string }) {
  return (
    <DisputeTexts>
      <Entry kind={kind} id={id} />
    </DisputeTexts>
  );
}

function Entry({ kind, id }: { kind: Kind; id: string }) {
  const { t } = useText<'disputes'>();
  const { navigate } = useNavigation();
  const list = useReadPages(listOwnMoneyDisputes, { subject: id }, { freshForMs: 5_000 });
  const [isOpen, setOpen] = useState(false);
  const [dispute] = rowsOfPages(list.data);
  // Without an answer it is unknown whether a dispute is open. The page itself says that it is offline.
  if (!list.data) return null;
  return (
    <>
      {dispute && (
        <Card className="dispute-entry">
          <Badge
            tone={dispute.status === 'closed' ? 'success' : 'warn'}
            mark={dispute.status === 'closed' ? 'check' : 'clock'}
          >
            {t(`disputes.state.${dispute.status}`)}
          </Badge>
          <Button
            look="soft"
            size="small"
            onClick={() => navigate('/pages/Option/orderRecord/disputes', { tab: 'money' })}
          >
            {t('money_dispute.see')}
          </Button>
        </Card>
      )}
      {(!dispute || dispute.status === 'closed') && (
        <Button look="soft" icon="flag" onClick={() => setOpen(true)}>
          {t('money_dispute.open')}
        </Button>
      )}
      <DisputeSheet
        kind={kind}
        id={id}
        open={isOpen}
        onClose={() => setOpen(false)}
        onDone={() => void list.refetch()}
      />
    </>
  );
}

function DisputeSheet({
  kind,
  id,
  open,
  onClose,
  onDone,
}: {
  kind: Kind;
  id: string;
  open: boolean;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t, presentation } = useText<'disputes'>();
  const dispute = useCall(openMoneyDispute);
  const [reason, setReason] = useState<(typeof REASONS)[Kind][number] | ''>('');
  const [more, setMore] = useState('');
  const send = async () => {
    if (reason === '') return;
    const said = t(`money_dispute.reason.${reason}`);
    const answer = await dispute.submit({ kind, id, reason: more.trim() === '' ? said : `${said}\n${more.trim()}` });
    if (!answer.ok) return;
    onClose();
    onDone();
    const deadline = formatDate(answer.data.deadline, 'dateTime', presentation);
    showToast(t('money_dispute.sent', { deadline }), 'success', { durationMs: 4000 });
  };
  return (
    <Sheet open={open} onClose={onClose} title={t('money_dispute.title')} blocking={dispute.isBusy}>
      <p className="muted">{t('money_dispute.lead')}</p>
      <RadioList<(typeof REASONS)[Kind][number] | ''>
        legend={t('money_dispute.what')}
        name="reason"
        value={reason}
        onChange={setReason}
        choices={REASONS[kind].map((value) => ({ value, label: t(`money_dispute.reason.${value}`) }))}
      />
      <div className="dispute-more-frame">
        <FieldFrame label={t('money_dispute.more')} hint={t('money_dispute.more_hint')}>
          {(ties) => (
            <div className="ui-field-well dispute-more">
              <textarea
                {...ties}
                rows={3}
                dir="auto"
                maxLength={MORE_MAX}
                value={more}
                onChange={({ target }) => setMore(target.value)}
              />
            </div>
          )}
        </FieldFrame>
      </div>
      <Button busy={dispute.isBusy} disabled={reason === ''} onClick={() => void send()}>
        {t('money_dispute.send')}
      </Button>
      <Button look="plain" onClick={onClose}>
        {t('shell.cancel')}
      </Button>
    </Sheet>
  );
}
