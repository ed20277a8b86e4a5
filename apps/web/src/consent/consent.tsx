import { CONSENT_PRODUCTS, type ConsentState, giveConsent, readConsent } from '@sathorn/api';
import { failureText, readQueryKey, useCall, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import { Button, Card, ErrorState, Icon, Skeleton, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import './consent.css';

/** `#/pages/consent/index?product=options`: the risks of a product, and four questions before its first order. */
export default function Consent() {
  const { query } = useNavigation();
  const product = CONSENT_PRODUCTS.find((name) => name === query.get('product')) ?? 'options';
  const read = useRead(readConsent, { product }, { freshForMs: 0 });
  const texts = useText();
  return (
    <>
      <PageBar title={read.data?.title ?? texts.t('screen.consent')} />
      {read.data ? (
        <Form state={read.data} />
      ) : read.error ? (
        <div className="page">
          <Card>
            <ErrorState
              title={failureText(read.error.failure, texts)}
              action={{ label: texts.t('shell.try_again'), onPress: () => void read.refetch() }}
            />
          </Card>
        </div>
      ) : (
        <div className="page">
          <Card>
            <Skeleton height={180} />
          </Card>
          <Card>
            <Skeleton height={320} />
          </Card>
        </div>
      )}
    </>
  );
}

const QUESTIONS = ['knowledge', 'experience', 'need', 'share'] as const;
type Answers = Partial<Record<(typeof QUESTIONS)[number], 'a' | 'b' | 'c'>>;

function Form({ state }: { state: ConsentState }) {
  const { t } = useText();
  const { back } = useNavigation();
  const client = useQueryClient();
  const give = useCall(giveConsent);
  const [answers, setAnswers] = useState<Answers>({});
  const [hasAgreed, setAgreed] = useState(false);
  const isWaiting = state.state === 'waiting';
  const isDone = state.state === 'given';
  const isWhole = QUESTIONS.every((question) => answers[question] !== undefined);
  const send = async () => {
    const { knowledge, experience, need, share } = answers;
    if (!knowledge || !experience || !need || !share) return;
    await give.submit({
      product: state.product,
      version: String(state.version),
      knowledge,
      experience,
      need,
      share,
      agree: 'true',
    });
    await client.invalidateQueries({ queryKey: readQueryKey(readConsent) });
  };
  return (
    <form
      className="page"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {state.finding && (
        <Card>
          <p className="consent-finding" role="status">
            <Icon name={isDone ? 'check' : 'clock'} size={20} />
            <span>{state.finding}</span>
          </p>
          <Button onClick={() => back()}>{t('shell.back')}</Button>
        </Card>
      )}
      <Card>
        <ul className="consent-risks">
          {state.risks.map((risk) => (
            <li key={risk}>
              <Icon name="warning" size={18} />
              <span>{risk}</span>
            </li>
          ))}
        </ul>
      </Card>
      {!isWaiting && !isDone && (
        <>
          {state.questions.map(({ code, text, answers: offered }) => (
            <Card key={code}>
              <fieldset className="consent-question">
                <legend>{text}</legend>
                {offered.map((answer) => (
                  <label key={answer.code}>
                    <input
                      type="radio"
                      name={code}
                      value={answer.code}
                      checked={answers[code as 'need'] === answer.code}
                      onChange={() => setAnswers({ ...answers, [code]: answer.code })}
                    />
                    <span>{answer.text}</span>
                  </label>
                ))}
              </fieldset>
            </Card>
          ))}
          <Card>
            <label className="consent-agree">
              <input type="checkbox" checked={hasAgreed} onChange={({ target }) => setAgreed(target.checked)} />
              <span>{state.agree}</span>
            </label>
            <Button type="submit" busy={give.isBusy} disabled={!isWhole || !hasAgreed}>
              {state.send}
            </Button>
          </Card>
        </>
      )}
    </form>
  );
}
