import { changePaymentPassword } from '@sathorn/api';
import { formatDate } from '@sathorn/text';
import { Card, useText } from '@sathorn/ui';
import { useState } from 'react';
import { type Failure, failureText } from '../../client/answer.ts';
import { useCall } from '../../client/use-call.ts';
import { useNavigation } from '../../navigation/navigation.tsx';
import { PinSteps } from '../../parts/forms/pin-steps.tsx';
import { showToast } from '../../shell/toasts.ts';

/** `#/pages/mine/setting/tradePwd`: with the old payment password. */
export default function TradePwd() {
  const texts = useText();
  const { t, presentation } = texts;
  const { back } = useNavigation();
  const change = useCall(changePaymentPassword, { quiet: true });
  const [error, setError] = useState<string>();
  const [attempt, setAttempt] = useState(0);

  const send = async ({ current, pin }: { current: string; pin: string }) => {
    const answer = await change.submit({ old: current, password: pin, confirm: pin });
    if (answer.ok) {
      showToast(t('paypass.done'), 'success');
      back();
      return;
    }
    setError(faultText(answer));
    setAttempt(attempt + 1);
  };

  const faultText = (refused: Failure): string => {
    const sentence = Object.values(refused.fields)[0] ?? failureText(refused, texts);
    const { left, until } = refused.params;
    if (refused.code === 'paypass_locked' && until) {
      return t('paypass.locked_until', { time: formatDate(until, 'dateTime', presentation) });
    }
    return refused.code === 'paypass_wrong' && left ? t('paypass.wrong_left', { left }) : sentence;
  };

  return (
    <div className="page">
      <Card>
        <PinSteps key={attempt} steps={['current', 'new', 'again']} onDone={send} error={error} busy={change.isBusy} />
      </Card>
    </div>
  );
}
