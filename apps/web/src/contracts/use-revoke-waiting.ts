import { listWaiting, readBalance, revokeWaiting, type WaitingOrder } from '@sathorn/api';
import { failureText, readQueryKey, useCall } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

/** Revokes an order that waits. `revoking` is the one that is being revoked. */
export function useRevokeWaiting(): {
  revoke: (order: Pick<WaitingOrder, 'id'>) => Promise<void>;
  revoking: string | null;
} {
  const texts = useText();
  const queries = useQueryClient();
  const close = useCall(revokeWaiting, { quiet: true, withoutOverlay: true });
  const [revoking, setRevoking] = useState<string | null>(null);
  const revoke = async ({ id }: Pick<WaitingOrder, 'id'>) => {
    if (revoking !== null) return;
    setRevoking(id);
    const answer = await close.submit({ id });
    setRevoking(null);
    if (answer.ok) showToast(texts.t('said.cancel_done'), 'success');
    else if (answer.code !== 'session_required')
      showToast(answer.isAnswered ? failureText(answer, texts) : texts.t('said.cancel_failed'), 'danger');
    for (const call of [listWaiting, readBalance]) void queries.invalidateQueries({ queryKey: readQueryKey(call) });
  };
  return { revoke, revoking };
}
