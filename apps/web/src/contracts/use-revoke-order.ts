import { type ContractOrder, readBalance, revokeContract } from '@sathorn/api';
import { failureText, readQueryKey, useCall } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { focusOwnOrders } from './focus-own-orders.ts';
import { storeOwnOrders } from './own-order-store.ts';

/**
 * When a row disappears, the next one moves up under the finger. Ignores presses for this long, so that a double tap
 * does not revoke that order too.
 */
const QUIET_MS = 800;
let quietUntil = 0;
const beQuiet = (): void => {
  quietUntil = performance.now() + QUIET_MS;
};

/** Revokes the unfilled part of an order. `revoking` is the order that is being revoked. */
export function useRevokeOrder(): {
  revoke: (order: Pick<ContractOrder, 'id'>) => Promise<void>;
  revoking: string | null;
} {
  const texts = useText();
  const queries = useQueryClient();
  const close = useCall(revokeContract, { quiet: true, withoutOverlay: true });
  const [revoking, setRevoking] = useState<string | null>(null);
  const revoke = async ({ id }: Pick<ContractOrder, 'id'>) => {
    if (revoking !== null || performance.now() < quietUntil) return;
    beQuiet();
    setRevoking(id);
    const answer = await close.submit({ id });
    setRevoking(null);
    beQuiet();
    if (answer.ok) {
      storeOwnOrders([answer.data]);
      focusOwnOrders();
      showToast(texts.t('said.cancel_done'), 'success');
    } else if (answer.code !== 'session_required') {
      showToast(answer.isAnswered ? failureText(answer, texts) : texts.t('said.cancel_failed'), 'danger');
    }
    void queries.invalidateQueries({ queryKey: readQueryKey(readBalance) });
  };
  return { revoke, revoking };
}
