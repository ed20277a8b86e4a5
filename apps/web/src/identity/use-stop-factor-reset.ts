import { readSecondFactor, readUser, stopFactorReset } from '@sathorn/api';
import { failureText, readQueryKey, useCall } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';

/** Stops the reset with one press and without a confirmation, because stopping is always safe. */
export function useStopFactorReset(): { readonly stop: () => void; readonly isBusy: boolean } {
  const texts = useText();
  const { t } = useText<'identity'>();
  const queries = useQueryClient();
  const { submit, isBusy } = useCall(stopFactorReset, { quiet: true });
  const stop = async () => {
    const done = await submit({});
    showToast(done.ok ? t('reset.stopped') : failureText(done, texts), done.ok ? 'success' : 'danger');
    for (const call of [readUser, readSecondFactor]) void queries.invalidateQueries({ queryKey: readQueryKey(call) });
  };
  return { stop: () => void stop(), isBusy };
}
