import { answerWithdrawal, type WithdrawalRecord } from '@sathorn/api';
import { failureText, useCall } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { Button, Card, CardHead, FieldFrame, useText } from '@sathorn/ui';
import { type FormEvent, useState } from 'react';
import { useApplyRecordNews } from '../parts/money/use-records.ts';
import './staff-question.css';

const ANSWER_MAX = 500;

/** A question from staff, and the customer's answer. It does not extend the promised time. */
export default function StaffQuestion({ record }: { record: WithdrawalRecord }) {
  const { t } = useText<'money' | 'withdrawals'>();
  const texts = useText();
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const submit = useCall(answerWithdrawal, { quiet: true, withoutOverlay: true });
  const takeRecord = useApplyRecordNews();
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (text.trim() === '') {
      setFault(t('withdrawal.answer_missing'));
      return event.currentTarget.querySelector('textarea')?.focus();
    }
    const answer = await submit.submit({ id: record.id, text: text.trim() });
    if (!answer.ok) return setFault(Object.values(answer.fields)[0] ?? failureText(answer, texts));
    setText('');
    takeRecord({ withdrawal: [answer.data] });
    showToast(t('withdrawal.answer_sent'), 'success');
  };
  const isOver = record.status === 'success' || record.status === 'failed';
  return (
    <Card className="withdrawal-question">
      <CardHead title={t('withdrawal.question')} />
      <blockquote dir="auto">{record.question}</blockquote>
      {record.answer !== null ? (
        <>
          <p className="cap">{t('withdrawal.your_answer')}</p>
          <blockquote dir="auto" data-own="">
            {record.answer}
          </blockquote>
        </>
      ) : (
        !isOver && (
          <form noValidate className="stack" onSubmit={(event) => void send(event)}>
            <FieldFrame label={t('withdrawal.your_answer')} hint={t('withdrawal.answer_hint')} error={fault}>
              {(ties) => (
                <div className="ui-field-well">
                  <textarea
                    {...ties}
                    rows={3}
                    maxLength={ANSWER_MAX}
                    dir="auto"
                    value={text}
                    onChange={(event) => {
                      setText(event.target.value);
                      setFault(undefined);
                    }}
                  />
                </div>
              )}
            </FieldFrame>
            <Button type="submit" look="soft" busy={submit.isBusy}>
              {t('withdrawal.answer_send')}
            </Button>
          </form>
        )
      )}
    </Card>
  );
}
