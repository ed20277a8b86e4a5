import { type Failure, failureText } from '@sathorn/app/client';
import { formatDate } from '@sathorn/text';
import { useText } from '@sathorn/ui';

/**
 * Returns a function that describes a payment password's fault: how many tries are left, or until when it is locked.
 */
export function usePaymentPasswordFault(): (refused: Failure) => string {
  const texts = useText();
  const { t, presentation } = texts;
  return (refused) => {
    const { left, until } = refused.params;
    if (refused.code === 'paypass_locked' && until)
      return t('paypass.locked_until', { time: formatDate(until, 'dateTime', presentation) });
    if (refused.code === 'paypass_wrong' && left) return t('paypass.wrong_left', { left: Number(left) });
    return Object.values(refused.fields)[0] ?? failureText(refused, texts);
  };
}
