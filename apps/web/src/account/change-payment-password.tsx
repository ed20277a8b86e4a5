import { changePaymentPassword } from '@sathorn/api';
import { useCall } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { Card, useText } from '@sathorn/ui';
import { useState } from 'react';
import { PinSteps } from '../parts/forms/pin-steps.tsx';
import { usePaymentPasswordFault } from '../parts/forms/use-payment-password-fault.ts';

/** `#/pages/mine/setting/tradePwd`: changes the payment password; asks for the old one. */
export default function ChangePaymentPassword() {
  const { t } = useText();
  const faultText = usePaymentPasswordFault();
  const { back } = useNavigation();
  const change = useCall(changePaymentPassword, { quiet: true });
  const [error, setError] = useState<string>();
  const [kept, setKept] = useState<string>();
  const [attempt, setAttempt] = useState(0);

  const send = async ({ current, pin }: { current: string; pin: string }) => {
    const answer = await change.submit({ old: current, password: pin, confirm: pin });
    if (answer.ok) {
      showToast(t('paypass.done'), 'success');
      back();
      return;
    }
    setError(faultText(answer));
    // Checked before the current password is sent, so that only the new one has to be typed again.
    setKept(answer.code === 'paypass_common' ? current : undefined);
    setAttempt(attempt + 1);
  };

  return (
    <div className="page">
      <Card>
        <PinSteps
          key={attempt}
          steps={['current', 'new', 'again']}
          onDone={send}
          error={error}
          kept={kept}
          busy={change.isBusy}
        />
      </Card>
    </div>
  );
}
