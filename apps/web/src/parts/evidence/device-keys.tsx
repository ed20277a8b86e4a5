import { listDeviceKeys, listOrdered, OWN_SUBJECT, type ResultOf, removeDeviceKey } from '@sathorn/api';
import { type Failure, failureText, useCall, useRead } from '@sathorn/app/client';
import { useSession } from '@sathorn/app/session';
import { showToast } from '@sathorn/app/shell';
import { formatCount, formatDate } from '@sathorn/text';
import { Badge, Button, Card, CardHead, Confirm, ListRow, useText } from '@sathorn/ui';
import { useState } from 'react';
import { FactorSheet, useFactorSheet } from '../forms/factor-sheet.tsx';
import { PaymentSheet } from '../forms/payment-sheet.tsx';
import { usePaymentPasswordFault } from '../forms/use-payment-password-fault.ts';
import { NotLoaded } from '../read/not-loaded.tsx';
import { useReceiptText } from '../receipt/use-receipt-text.ts';
import { canKeepKeys } from './device-key.ts';
import { registerDeviceKey } from './device-signer.ts';
import { useDeviceKey } from './use-device-key.ts';

type ListedKey = ResultOf<typeof listDeviceKeys>['items'][number];

/** The devices that sign what the customer orders, each with a button that removes it. */
export default function DeviceKeys() {
  const texts = useText();
  const { presentation } = texts;
  const { t } = useReceiptText(true);
  const { data, error, refetch } = useRead(listDeviceKeys, {}, { freshForMs: 0 });
  const ordered = useRead(listOrdered, {}, { freshForMs: 0 });
  const own = useDeviceKey();
  const remove = useCall(removeDeviceKey);
  const [removing, setRemoving] = useState<ListedKey | null>(null);
  if (!t) return null;
  const changed = () => {
    void refetch();
    void own.refetch();
    void ordered.refetch();
  };
  const confirmRemoval = async () => {
    if (removing === null) return;
    const answer = await remove.submit({ id: removing.id });
    setRemoving(null);
    if (answer.ok) showToast(t('verify.devices.removed'), 'success');
    changed();
  };
  const isOwn = ({ id }: ListedKey) => id === own.data?.id;
  const { since = null, unsigned = 0 } = ordered.data ?? {};
  return (
    <Card className="stack">
      <CardHead title={t('verify.devices.title')} />
      <p className="muted">{t('verify.devices.lead')}</p>
      {!data && <NotLoaded read={{ error, refetch }} rows={2} />}
      {data?.items.map((key) => (
        <ListRow
          key={key.id}
          icon="key"
          title={
            <>
              <bdi id={`key-${key.id}`}>{key.device}</bdi>{' '}
              {isOwn(key) && <Badge tone="success">{texts.t('sessions.current')}</Badge>}
            </>
          }
          note={t('verify.devices.since', { time: formatDate(key.created_at, 'dateTime', presentation) })}
          value={
            <Button size="small" look="soft" aria-describedby={`key-${key.id}`} onClick={() => setRemoving(key)}>
              {t('verify.devices.remove')}
            </Button>
          }
        />
      ))}
      {data?.items.length === 0 && <p>{t('verify.devices.none')}</p>}
      {since !== null && unsigned > 0 && (
        <p className="num">
          {t('verify.devices.unsigned', {
            count: unsigned,
            orders: formatCount(unsigned, presentation),
            time: formatDate(since, 'date', presentation),
          })}
        </p>
      )}
      {data && own.isFetched && !data.items.some(isOwn) && <AddKey onAdded={changed} />}
      <Confirm
        open={removing !== null}
        title={t('verify.devices.remove_ask')}
        confirmLabel={t('verify.devices.remove')}
        cancelLabel={texts.t('shell.cancel')}
        onConfirm={confirmRemoval}
        onCancel={() => setRemoving(null)}
        danger
        busy={remove.isBusy}
      >
        <bdi>{removing?.device}</bdi>
      </Confirm>
    </Card>
  );
}

/** Registers this device, which takes the payment password and the second factor. */
function AddKey({ onAdded }: { onAdded: () => void }) {
  const texts = useText();
  const { t } = useReceiptText(true);
  const customer = useSession(({ user }) => user?.id);
  const pinFault = usePaymentPasswordFault();
  const factor = useFactorSheet();
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [pin, setPin] = useState('');
  const [refused, setRefused] = useState<{ sentence: string; attempt: number } | null>(null);
  if (!t || customer === undefined) return null;
  if (!canKeepKeys()) return <p className="muted">{t('verify.devices.unfit')}</p>;

  const fail = (failure: Failure) => {
    if (failure.code === 'paypass_wrong' || failure.code === 'paypass_locked') {
      setAsking(true);
      return setRefused({ sentence: pinFault(failure), attempt: (refused?.attempt ?? 0) + 1 });
    }
    setAsking(false);
    if (!factor.takeRefusal(failure)) showToast(failureText(failure, texts), 'danger');
  };
  const register = async (confirmation: { paypass?: string; otp?: string }) => {
    setBusy(true);
    const answer = await registerDeviceKey(customer, confirmation).catch(() => null);
    setBusy(false);
    // This browser keeps no keys, as in a private window.
    if (answer === null) return showToast(t('verify.devices.unfit'), 'danger');
    if (!answer.ok) return fail(answer);
    setAsking(false);
    factor.close();
    showToast(t('verify.devices.added'), 'success');
    onAdded();
  };
  return (
    <>
      <Button
        look="soft"
        icon="key"
        onClick={() => {
          setRefused(null);
          setAsking(true);
        }}
      >
        {t('verify.devices.add')}
      </Button>
      <PaymentSheet
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('verify.devices.add')}
        onPin={(paypass) => {
          setPin(paypass);
          void register({ paypass });
        }}
        busy={isBusy}
        refused={refused}
      />
      <FactorSheet
        factor={factor}
        onClose={factor.close}
        title={t('verify.devices.add')}
        operation="device_key"
        subject={OWN_SUBJECT}
        onProof={(otp) => void register({ paypass: pin, otp })}
        busy={isBusy}
      />
    </>
  );
}
