import type { DisputeCase, MoneyDisputeCase } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { type ReactNode, useState } from 'react';
import { useKeys } from '../../keys.ts';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { TextArea } from '../../parts/field.tsx';
import { KeyHint } from '../../parts/parts.tsx';
import { RefusalNote } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { routeHash } from '../../route.ts';
import type { useProposal } from '../../use-proposal.ts';
import { ConfirmAnswer } from './confirm-answer.tsx';

type Shown = DisputeCase | MoneyDisputeCase;

/** The customer's statement: who opened the dispute, when, and why. */
export function DisputeStatement({ shown: { customer, opened_at: at, statement } }: { shown: Shown }) {
  const { dateTime } = useTexts();
  return (
    <p className="note">
      <b>
        <a href={routeHash('customers', customer.id)}>
          <bdi>{customer.username}</bdi>
        </a>
        , {dateTime(at)}:
      </b>{' '}
      <q dir="auto">{statement}</q>
    </p>
  );
}

export function AnswerNote({ head, answer }: { head: ReactNode; answer: string }) {
  return (
    <div className="note dispute-answer">
      <b>{head}</b>
      <p dir="auto">{answer}</p>
    </div>
  );
}

/** The field in which the first person writes the answer. */
export function ProposeAnswer({
  language,
  finding,
  act: { refused, isBusy, signing },
  onSend,
}: {
  language: string;
  finding: string;
  act: Pick<ReturnType<typeof useProposal>, 'refused' | 'isBusy' | 'signing'>;
  onSend: (text: string) => void;
}) {
  const { t, code } = useTexts();
  const [text, setText] = useState('');
  return (
    <>
      <TextArea
        label={t('disputes.answer_in', { language: code('support.language', language) })}
        value={text}
        dir="auto"
        maxLength={1000}
        fault={refused?.fields.text}
        onChange={({ target }) => setText(target.value)}
      />
      <RefusalNote refused={refused} />
      <Button size="small" busy={isBusy} disabled={text.trim() === ''} onClick={() => onSend(text)}>
        {t('disputes.propose')}: {finding}
      </Button>
      {signing && (
        <StepUp {...signing}>
          <AnswerNote head={finding} answer={text} />
        </StepUp>
      )}
    </>
  );
}

/** The buttons with which the second person decides on the answer. `children` are further buttons. */
export function DecideAnswer({
  shown: { approval, first, answer },
  finding,
  children,
}: {
  shown: Shown;
  finding: string;
  children?: ReactNode;
}) {
  const { t } = useTexts();
  const operator = useOperator();
  const [decision, setDecision] = useState<'approve' | 'reject' | null>(null);
  const mayConfirm = hasAnyRole(operator, ['compliance']) && approval !== null && first?.id !== operator?.id;
  useKeys({ a: () => mayConfirm && setDecision('approve') });
  return (
    <>
      <div className="row wrap">
        {children}
        {mayConfirm && (
          <>
            <Button size="small" look="soft" onClick={() => setDecision('reject')}>
              {t('disputes.send_back')}
            </Button>
            <Button size="small" onClick={() => setDecision('approve')}>
              {t('disputes.confirm')} <KeyHint name="a" />
            </Button>
          </>
        )}
      </div>
      {approval && decision && (
        <ConfirmAnswer
          approval={approval}
          decision={decision}
          finding={finding}
          answer={answer}
          onClose={() => setDecision(null)}
        />
      )}
    </>
  );
}
