import { listContracts, listWaiting, readBalance, revokeContracts } from '@sathorn/api';
import { failureText, readQueryKey, useCall } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { Confirm, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { focusOwnOrders } from './focus-own-orders.ts';
import { markOrdersRevoked } from './own-order-store.ts';
import './revoke-all.css';

/** Revokes all open orders of a coin, or of all coins, after a confirmation. */
export function RevokeAll({ code }: { code: string | undefined }) {
  const texts = useText();
  const { t } = useText<'contracts'>();
  const queries = useQueryClient();
  const revokeAll = useCall(revokeContracts, { quiet: true, withoutOverlay: true });
  const [isAsking, setAsking] = useState(false);

  const confirm = async () => {
    const answer = await revokeAll.submit(code === undefined ? {} : { code });
    setAsking(false);
    if (answer.ok) {
      const { revoked } = answer.data;
      markOrdersRevoked(revoked);
      focusOwnOrders();
      const said =
        revoked.length > 0 ? t('contracts.revoked_number', { count: revoked.length }) : t('contracts.revoked_none');
      showToast(said, revoked.length > 0 ? 'success' : 'plain');
    } else if (answer.code !== 'session_required') {
      showToast(answer.isAnswered ? failureText(answer, texts) : texts.t('said.cancel_failed'), 'danger');
    }
    for (const call of [readBalance, listContracts, listWaiting])
      void queries.invalidateQueries({ queryKey: readQueryKey(call) });
  };

  return (
    <>
      <button type="button" className="revoke-all" onClick={() => setAsking(true)}>
        {t('contracts.revoke_all')}
      </button>
      <Confirm
        open={isAsking}
        title={code === undefined ? t('contracts.revoke_all_coins_ask') : t('contracts.revoke_all_ask', { coin: code })}
        confirmLabel={t('contracts.revoke_all')}
        cancelLabel={t('contracts.keep_orders')}
        onConfirm={() => void confirm()}
        onCancel={() => setAsking(false)}
        danger
        busy={revokeAll.isBusy}
      >
        {t('contracts.revoke_all_note')}
      </Confirm>
    </>
  );
}
