import {
  PUSH_KINDS,
  type PushKind,
  type PushSettingsView,
  readPush,
  stopPush,
  subscribePush,
  switchPush,
} from '@sathorn/api';
import { failureText, readQueryKey, useCall, useRead } from '@sathorn/app/client';
import { usePreferences } from '@sathorn/app/preferences';
import { PageBar, showToast } from '@sathorn/app/shell';
import { useIsOnline } from '@sathorn/app/stream';
import { Button, Card, CardHead, EmptyState, Icon, ListRow, Switch, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { StateHead } from '../parts/account/state-head.tsx';
import { MoneyNote } from '../parts/money/note.tsx';
import { CardNotLoaded } from '../parts/read/not-loaded.tsx';
import {
  currentSubscription,
  readPushSupport,
  rememberReportedSubscription,
  reportedSubscriptionOf,
  subscribeBrowser,
  unsubscribeBrowser,
} from './device-push.ts';
import { PushTexts } from './push-texts.tsx';

/** `#/pages/mine/setting/push`: notifications on this device. */
export default function PushSettings() {
  return (
    <PushTexts>
      <Titled />
    </PushTexts>
  );
}

function Titled() {
  const { t } = useText<'push'>();
  return (
    <>
      <PageBar title={t('device.title')} />
      <div className="page">
        <Body />
      </div>
    </>
  );
}

function Body() {
  const { t } = useText<'push'>();
  const standing = useStanding();
  const isOnline = useIsOnline();
  const { data, error, refetch } = useRead(readPush, {}, { freshForMs: 0 });
  const isSubscribed = useSubscribed(data);
  if (standing === 'unsupported' || standing === 'install')
    return (
      <Card>
        <EmptyState picture={standing === 'install' ? 'phone' : 'bell'} title={t(`device.${standing}`)}>
          {t(`device.${standing}_note`)}
        </EmptyState>
      </Card>
    );
  return (
    <>
      {!isOnline && (
        <MoneyNote icon="offline" tone="warn" alert>
          {t('device.offline')}
        </MoneyNote>
      )}
      {standing === 'denied' && (
        <MoneyNote icon="warning" tone="warn" title={t('device.denied')} alert>
          {t('device.denied_note')}
        </MoneyNote>
      )}
      {data && isSubscribed !== undefined ? (
        <Choices
          push={data}
          // Both sides need the subscription: a browser whose data was cleared has lost its own.
          isOn={data.subscription !== null && isSubscribed && standing === 'ready'}
          isBlocked={standing === 'denied' || !isOnline}
        />
      ) : (
        <CardNotLoaded read={{ error, refetch }} failed={t('device.failed')} rows={5} />
      )}
    </>
  );
}

function Choices({ push, isOn, isBlocked }: { push: PushSettingsView; isOn: boolean; isBlocked: boolean }) {
  const texts = useText();
  const { t } = useText<'push'>();
  const language = usePreferences((preferences) => preferences.language);
  const queries = useQueryClient();
  const subscribe = useCall(subscribePush, { quiet: true });
  const change = useCall(switchPush, { quiet: true, withoutOverlay: true });
  const stop = useCall(stopPush, { quiet: true });
  const [isAsking, setAsking] = useState(false);
  const [fault, setFault] = useState<string>();
  const show = (now: PushSettingsView): void => void queries.setQueriesData({ queryKey: readQueryKey(readPush) }, now);
  const kinds = push.subscription?.kinds;

  const turnOn = async () => {
    setFault(undefined);
    setAsking(true);
    try {
      const subscribed = await subscribeBrowser(push.key);
      if (subscribed === 'denied') return;
      if (subscribed === 'dismissed') return setFault(t('device.dismissed'));
      const answer = await subscribe.submit(subscribed);
      if (!answer.ok) return setFault(failureText(answer, texts));
      rememberReportedSubscription(reportedSubscriptionOf(language, subscribed));
      show(answer.data);
      showToast(t('device.turned_on'), 'success');
    } catch {
      setFault(t('device.no_service'));
    } finally {
      setAsking(false);
    }
  };
  const turnOff = async () => {
    setFault(undefined);
    const answer = await stop.submit({});
    if (!answer.ok) return setFault(failureText(answer, texts));
    rememberReportedSubscription(null);
    show({ ...push, subscription: null });
    showToast(t('device.turned_off'));
    // The server has already deleted it, so a failure here has no effect.
    await unsubscribeBrowser().catch(() => undefined);
  };
  const turn = async (kind: PushKind, isWanted: boolean) => {
    if (!kinds || !push.subscription) return;
    const wanted = { ...kinds, [kind]: isWanted };
    // Shown at once, and reverted if the server does not accept it.
    show({ ...push, subscription: { ...push.subscription, kinds: wanted } });
    const flag = (is: boolean) => (is ? '1' : '0');
    const answer = await change.submit({
      prices: flag(wanted.prices),
      money: flag(wanted.money),
      answers: flag(wanted.answers),
    });
    show(answer.ok ? answer.data : push);
    if (!answer.ok) showToast(failureText(answer, texts), 'danger');
  };
  return (
    <>
      <Card className="stack">
        <StateHead
          icon="bell"
          isOn={isOn}
          title={t(isOn ? 'device.on' : 'device.off')}
          note={isOn && t('device.until')}
        />
        <p className="muted">{t('device.what')}</p>
        {fault && (
          <MoneyNote icon="warning" tone="danger" alert>
            {fault}
          </MoneyNote>
        )}
        {!isOn && (
          <Button icon="bell" busy={isAsking || subscribe.isBusy} disabled={isBlocked} onClick={() => void turnOn()}>
            {t('device.turn_on')}
          </Button>
        )}
      </Card>
      {isOn && kinds && (
        <Card tight>
          <CardHead title={t('device.kinds')} />
          {PUSH_KINDS.map((kind) => (
            <Switch
              key={kind}
              label={t(`device.${kind}`)}
              note={t(`device.${kind}_note`)}
              checked={kinds[kind]}
              disabled={isBlocked}
              onChange={(isWanted) => void turn(kind, isWanted)}
            />
          ))}
          <ListRow
            title={t('device.security')}
            note={t('device.security_note')}
            value={<Icon name="check" size={20} />}
          />
        </Card>
      )}
      <MoneyNote icon="shield">{t('device.private')}</MoneyNote>
      {isOn && (
        <Button look="soft" busy={stop.isBusy} disabled={isBlocked} onClick={() => void turnOff()}>
          {t('device.turn_off')}
        </Button>
      )}
    </>
  );
}

/** The customer changes the permission outside the app, so it is read again when the page comes back into view. */
function useStanding() {
  return useSyncExternalStore((notify) => {
    let status: PermissionStatus | undefined;
    let isOver = false;
    void navigator.permissions
      ?.query({ name: 'notifications' })
      .then((known) => {
        if (isOver) return;
        status = known;
        status.addEventListener('change', notify);
      })
      .catch(() => undefined);
    addEventListener('focus', notify);
    return () => {
      isOver = true;
      status?.removeEventListener('change', notify);
      removeEventListener('focus', notify);
    };
  }, readPushSupport);
}

/** True if the browser has a subscription; undefined until that is known. Read again after each answer. */
function useSubscribed(push: PushSettingsView | undefined): boolean | undefined {
  const [isSubscribed, setSubscribed] = useState<boolean>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: turning it on or off changes the result.
  useEffect(() => {
    let isOver = false;
    const told = (is: boolean) => !isOver && setSubscribed(is);
    currentSubscription().then(
      (subscription) => told(subscription !== null),
      () => told(false),
    );
    return () => {
      isOver = true;
    };
  }, [push]);
  return isSubscribed;
}
