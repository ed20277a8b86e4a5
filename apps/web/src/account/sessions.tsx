import { endSession as endSessionCall, listSessions, type ResultOf } from '@sathorn/api';
import { useCall, useRead } from '@sathorn/app/client';
import { Late, renderNothing } from '@sathorn/app/late';
import { showToast } from '@sathorn/app/shell';
import { formatDate } from '@sathorn/text';
import { Badge, Button, Card, Confirm, ListRow, useText } from '@sathorn/ui';
import { useState } from 'react';
import { NotLoaded } from '../parts/read/not-loaded.tsx';
import './sessions.css';
import '@sathorn/app/forms/form-page.css';

const loadDeviceKeys = () => import('../parts/evidence/device-keys.tsx');

type Session = ResultOf<typeof listSessions>['items'][number];

/** `#/pages/mine/setting/sessions`: the account's open sessions, and the devices that sign what it orders. */
export default function Sessions() {
  const texts = useText();
  const { t, presentation } = texts;
  const { data, error, refetch } = useRead(listSessions, {});
  const end = useCall(endSessionCall);
  const [ending, setEnding] = useState<Session | null>(null);

  const confirmEnd = async () => {
    if (ending === null) return;
    const answer = await end.submit({ id: ending.id });
    setEnding(null);
    if (answer.ok) showToast(t('sessions.ended'), 'success');
    void refetch();
  };

  return (
    <div className="page">
      <p className="form-lead">{t('sessions.lead')}</p>
      <Card tight className="sessions">
        {data ? (
          data.items.map((session) => (
            <ListRow
              key={session.id}
              icon="phone"
              title={
                <>
                  <bdi id={`device-${session.id}`}>{session.device}</bdi>{' '}
                  {session.current && <Badge tone="success">{t('sessions.current')}</Badge>}
                </>
              }
              note={
                <>
                  <bdi className="session-address" dir="ltr">
                    {session.address}
                  </bdi>
                  {t('sessions.used', { time: formatDate(session.used_at, 'dateTime', presentation) })}
                </>
              }
              value={
                session.current ? undefined : (
                  <Button
                    size="small"
                    look="soft"
                    aria-describedby={`device-${session.id}`}
                    onClick={() => setEnding(session)}
                  >
                    {t('sessions.end')}
                  </Button>
                )
              }
            />
          ))
        ) : (
          <NotLoaded read={{ error, refetch }} rows={3} />
        )}
      </Card>
      <Late load={loadDeviceKeys} failed={renderNothing} />
      <Confirm
        open={ending !== null}
        title={t('sessions.end_ask')}
        confirmLabel={t('sessions.end')}
        cancelLabel={t('shell.cancel')}
        onConfirm={confirmEnd}
        onCancel={() => setEnding(null)}
        danger
        busy={end.isBusy}
      >
        {/* Many sessions look alike, so the sheet repeats which one it will end. */}
        {ending && (
          <>
            <bdi>{ending.device}</bdi>
            <br />
            {t('sessions.used', { time: formatDate(ending.used_at, 'dateTime', presentation) })}
          </>
        )}
      </Confirm>
    </div>
  );
}
