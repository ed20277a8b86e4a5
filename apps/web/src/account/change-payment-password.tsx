import { changePaymentPassword, OWN_SUBJECT } from '@sathorn/api';
import { useCall } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { Card, useText } from '@sathorn/ui';
import { useState } from 'react';
import { FactorSheet, useFactorSheet } from '../parts/forms/factor-sheet.tsx';
import { LatePinSteps } from '../parts/forms/late-pin-steps.tsx';
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
  const factor = useFactorSheet();
  const [typed, setTyped] = useState<{ current: string; pin: string }>();

  const send = async ({ current, pin }: { current: string; pin: string }, otp?: string) => {
    setTyped({ current, pin });
    const answer = await change.submit({ old: current, password: pin, confirm: pin, ...(otp && { otp }) });
    if (answer.ok) {
      showToast(t('paypass.done'), 'success');
      back();
      return;
    }
    if (factor.takeRefusal(answer)) return;
    setError(faultText(answer));
    // The new password is checked before the current one is used, so only the new one must be typed again.
    setKept(answer.code === 'paypass_common' ? current : undefined);
    setAttempt(attempt + 1);
  };

  return (
    <div className="page">
      <Card>
        <LatePinSteps
          key={attempt}
          steps={['current', 'new', 'again']}
          onDone={(pins) => send(pins)}
          error={error}
          kept={kept}
          busy={change.isBusy}
        />
      </Card>
      <FactorSheet
        factor={factor}
        onClose={() => {
          factor.close();
          setAttempt(attempt + 1);
        }}
        title={t('setting.trade_password')}
        operation="payment_password"
        subject={OWN_SUBJECT}
        onProof={(otp) => void (typed && send(typed, otp))}
        busy={change.isBusy}
      />
    </div>
  );
}
