import { finishPasskey, listPasskeys, readOperator, removePasskey, startPasskey } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { useOperator } from '../operator.ts';
import { Field } from '../parts/field.tsx';
import { Facts } from '../parts/parts.tsx';
import { sha256 } from '../parts/sha256.ts';
import { EmptyState, ReadGate, RefusalNote } from '../parts/states.tsx';
import { StepUp } from '../parts/step-up.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { hasPasskeys, makePasskey } from '../passkey.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useAct } from '../use-act.ts';
import { VotingKeys } from './votes/voting-keys.tsx';

/**
 * The content that the server asks this operator to confirm before it adds a device. It must match the server's
 * `deviceFingerprint`.
 */
const deviceFingerprint = (operator: string): Promise<string> =>
  sha256(new TextEncoder().encode(`device of operator ${operator}`));

export default function Me() {
  const { t, dateTime } = useTexts();
  const operator = useOperator();
  const session = useRead(readOperator, {});
  const passkeys = useRead(listPasskeys, {});
  const start = useAct(startPasskey);
  const finish = useAct(finishPasskey);
  const remove = useAct(removePasskey);
  const [name, setName] = useState('');
  const [fingerprint, setFingerprint] = useState<string | null>(null);
  return (
    <>
      <PageHeader title={t('nav.me')} isStale={session.isError} />
      <div className="page columns">
        <section className="card">
          <div className="hd">
            <h2>{operator?.work_name}</h2>
          </div>
          <div className="bd">
            <ReadGate query={session}>
              {(shown) => (
                <Facts
                  facts={[
                    [t('operators.roles'), shown.operator.roles.map((role) => t(`role.${role}`)).join(', ')],
                    [t('me.idle'), t('me.minutes', { count: Math.round(shown.idle_seconds / 60) })],
                    [t('me.ends'), dateTime(shown.ends_at)],
                  ]}
                />
              )}
            </ReadGate>
          </div>
        </section>
        <div className="col">
          <section className="card">
            <div className="hd">
              <h2>{t('me.passkeys')}</h2>
            </div>
            <ReadGate query={passkeys}>
              {(devices) => (
                <>
                  {devices.length === 0 && <EmptyState title={t('me.no_passkeys')} />}
                  <ul className="plain bd">
                    {devices.map((device) => (
                      <li key={device.id} className="row sp line">
                        <span>
                          <b>
                            <bdi>{device.name}</bdi>
                          </b>{' '}
                          <span className="c">{dateTime(device.created_at)}</span>
                        </span>
                        <Button size="small" look="soft" onClick={() => void remove.run({ id: device.id })}>
                          {t('me.remove')}
                        </Button>
                      </li>
                    ))}
                  </ul>
                </>
              )}
            </ReadGate>
            {hasPasskeys() && operator && (
              <form
                className="foot wrap"
                onSubmit={async (event) => {
                  event.preventDefault();
                  setFingerprint(await deviceFingerprint(operator.id));
                }}
              >
                <Field
                  label={t('me.device_name')}
                  value={name}
                  onChange={({ target }) => setName(target.value)}
                  required
                />
                <Button type="submit" size="small" icon="key">
                  {t('me.add')}
                </Button>
              </form>
            )}
            <RefusalNote refused={start.refused ?? finish.refused ?? remove.refused} />
          </section>
          <VotingKeys fingerprintOf={deviceFingerprint} />
        </div>
      </div>
      {fingerprint && operator && (
        <StepUp
          decision={{ op: 'device.add', id: operator.id, fingerprint, title: t('me.add'), act: t('me.add') }}
          onClose={() => setFingerprint(null)}
          onConfirmed={async (step_up) => {
            const asked = await start.run({ step_up });
            if (!asked.ok) return asked.refused;
            const credential = await makePasskey(asked.data.options);
            if (credential === null) return null;
            const done = await finish.run({ challenge: asked.data.challenge, credential, name });
            return done.ok ? null : done.refused;
          }}
        />
      )}
    </>
  );
}
