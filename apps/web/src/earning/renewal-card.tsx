import { type LockupOrder, listStanding, revokeStanding, type Standing } from '@sathorn/api';
import { failureText, readQueryKey, useCall, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { formatDate, formatPercent } from '@sathorn/text';
import { Card, Confirm, ListRow, Switch, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { RenewalSheet } from './renewal-sheet.tsx';
import { whyKey } from './standing-figures.ts';
import { StandingTexts } from './standing-texts.tsx';

const RECORD = '/pages/Lock-up/record/record';

interface RenewalCardProps {
  order: LockupOrder;
  renewedBy: string | null;
}

/** Whether a lock-up is renewed at its end, and what it was renewed from or became. */
export default function RenewalCard(props: RenewalCardProps) {
  return (
    <StandingTexts>
      <Renewal {...props} />
    </StandingTexts>
  );
}

function Renewal({ order, renewedBy }: RenewalCardProps) {
  const { t, presentation } = useText<'standing'>();
  const { navigate } = useNavigation();
  const list = useRead(listStanding, { kind: 'renewal' }, { freshForMs: 0 });
  const items = list.data?.items ?? [];
  const own = items.find(({ current }) => current === order.id);
  const by = items.find(({ id }) => id === order.standing?.id);
  const isOpen = order.status === 'processing';
  const from = order.standing;
  if (!isOpen && from === null && renewedBy === null && own?.status !== 'ended') return null;
  return (
    <Card tight>
      {isOpen && <RenewSwitch order={order} active={own?.status === 'active' ? own : undefined} isRead={!!list.data} />}
      {renewedBy !== null && (
        <ListRow icon="lock" title={t('standing.renewed_by')} onPress={() => navigate(RECORD, { id: renewedBy })} />
      )}
      {!isOpen && renewedBy === null && own?.status === 'ended' && (
        <ListRow icon="info" title={t('standing.not_renewed')} note={t(whyKey(own.reason))} />
      )}
      {from?.kind === 'renewal' && (
        <ListRow
          icon="lock"
          title={t('standing.renewed_from')}
          note={by && t('standing.by', { at: formatDate(by.created_at, 'dateTime', presentation) })}
          onPress={() => navigate(RECORD, { id: from.source })}
        />
      )}
      {from?.kind === 'deposits' && (
        <ListRow
          icon="download"
          title={t('standing.from_deposit')}
          onPress={() => navigate('/pages/Lock-up/standing')}
        />
      )}
    </Card>
  );
}

function RenewSwitch({ order, active, isRead }: { order: LockupOrder; active: Standing | undefined; isRead: boolean }) {
  const texts = useText();
  const { t, presentation } = useText<'standing'>();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState<'start' | 'stop' | null>(null);
  const stop = useCall(revokeStanding, { quiet: true, withoutOverlay: true });
  const refresh = () => void queries.invalidateQueries({ queryKey: readQueryKey(listStanding) });
  const close = () => setAsking(null);
  const end = async () => {
    const answer = await stop.submit({ id: active?.id ?? '' });
    refresh();
    close();
    if (answer.ok) showToast(t('standing.renew_ended'), 'success');
    else if (answer.code !== 'session_required') showToast(failureText(answer, texts), 'danger');
  };
  const rate = formatPercent(active?.rate_min ?? '0', presentation, { minDecimals: 3 });
  return (
    <>
      <Switch
        label={t('standing.renew')}
        note={active ? t('standing.renew_on', { rate }) : t('standing.renew_off')}
        checked={active !== undefined}
        disabled={!isRead}
        onChange={(isOn) => setAsking(isOn ? 'start' : 'stop')}
      />
      <RenewalSheet open={isAsking === 'start'} order={order} onClose={close} onDone={refresh} />
      <Confirm
        open={isAsking === 'stop'}
        danger
        busy={stop.isBusy}
        title={t('standing.renew_end_ask')}
        confirmLabel={t('standing.stop')}
        cancelLabel={t('standing.keep')}
        onCancel={close}
        onConfirm={() => void end()}
      >
        {t('standing.renew_end_note')}
      </Confirm>
    </>
  );
}
