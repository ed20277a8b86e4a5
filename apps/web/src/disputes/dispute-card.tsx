import type { OwnDispute, OwnMoneyDispute } from '@sathorn/api';
import { formatDate } from '@sathorn/text';
import { Badge, Button, Card, type Fact, FactList, useText } from '@sathorn/ui';

interface DisputeCardProps {
  dispute: OwnDispute | OwnMoneyDispute;
  /** The finding of two people, in words. */
  finding: string | null;
  /** Facts about the disputed subject. */
  about: readonly Fact[];
  see: { label: string; onPress: () => void };
}

/** The customer's statement, the progress of the dispute, and its answer. */
export function DisputeCard({ dispute, finding, about, see }: DisputeCardProps) {
  const { t, presentation } = useText<'disputes'>();
  const { statement, status, opened_at, deadline, answer, answered_at, reviewers } = dispute;
  const isClosed = status === 'closed';
  const at = (time: string) => formatDate(time, 'dateTime', presentation);
  return (
    <Card className="dispute">
      <div className="row">
        <Badge tone={isClosed ? 'success' : 'warn'} mark={isClosed ? 'check' : 'clock'}>
          {t(`disputes.state.${status}`)}
        </Badge>
      </div>
      <blockquote className="dispute-said" dir="auto">
        {statement}
      </blockquote>
      {finding && <h2 className="dispute-finding">{finding}</h2>}
      {answer && (
        <p className="dispute-answer" dir="auto">
          {answer}
        </p>
      )}
      <FactList
        facts={[
          ...about,
          { name: t('disputes.opened'), value: at(opened_at) },
          answered_at === null
            ? { name: t('disputes.deadline'), value: at(deadline) }
            : { name: t('disputes.answered'), value: at(answered_at) },
          ...(reviewers.length > 0 ? [{ name: t('disputes.by'), value: reviewers.join(', ') }] : []),
        ]}
      />
      <Button look="soft" size="small" onClick={see.onPress}>
        {see.label}
      </Button>
    </Card>
  );
}
