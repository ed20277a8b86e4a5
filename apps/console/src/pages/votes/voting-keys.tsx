import { addVotingKey, askForVotingKey, listVotingKeys } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { canKeepDeviceKeys, createDeviceKey } from '../../device-key.ts';
import { useOperator } from '../../operator.ts';
import { Field } from '../../parts/field.tsx';
import { Tag } from '../../parts/parts.tsx';
import { ReadGate, RefusalNote } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useAct } from '../../use-act.ts';
import { useVoteTexts } from './texts.ts';

const LOOKS = { counts: 'ok', waiting: 'brand', lapsed: 'warn' } as const;

/** The keys that sign this operator's votes. `fingerprintOf` is the content to confirm before adding one. */
export function VotingKeys({ fingerprintOf }: { fingerprintOf: (operator: string) => Promise<string> }) {
  const { say, word } = useVoteTexts();
  const { dateTime } = useTexts();
  const operator = useOperator();
  const keys = useRead(listVotingKeys, {});
  const add = useAct(addVotingKey);
  const ask = useAct(askForVotingKey);
  const [name, setName] = useState('');
  const [fingerprint, setFingerprint] = useState<string | null>(null);
  return (
    <section className="card">
      <div className="hd">
        <h2>{say('keys')}</h2>
      </div>
      <ReadGate query={keys}>
        {({ keys: own, allows_devices: allowsDevices }) => (
          <>
            <div className="bd col">
              {own.length === 0 && (
                <p className="note" data-look="warn">
                  {say('none')}
                </p>
              )}
              <ul className="plain">
                {own.map((key) => (
                  <li key={key.id} className="row sp line">
                    <span>
                      <b>
                        <bdi>{key.name}</bdi>
                      </b>{' '}
                      <span className="c">
                        {word('kind', key.kind)} · {dateTime(key.made_at)} ·{' '}
                        <span className="mono break">{key.id}</span>
                      </span>
                    </span>
                    <span className="row">
                      <Tag look={LOOKS[key.state]}>{word('state', key.state)}</Tag>
                      {key.state === 'lapsed' && (
                        <Button size="small" look="soft" busy={ask.isBusy} onClick={() => void ask.run({ id: key.id })}>
                          {say('ask_again')}
                        </Button>
                      )}
                    </span>
                  </li>
                ))}
              </ul>
              {allowsDevices && <p className="c">{say(canKeepDeviceKeys() ? 'add_what' : 'no_keys_here')}</p>}
              <RefusalNote refused={add.refused ?? ask.refused} />
            </div>
            {allowsDevices && canKeepDeviceKeys() && operator && (
              <form
                className="foot wrap"
                onSubmit={async (event) => {
                  event.preventDefault();
                  setFingerprint(await fingerprintOf(operator.id));
                }}
              >
                <Field label={say('name')} value={name} onChange={({ target }) => setName(target.value)} required />
                <Button type="submit" size="small" icon="key">
                  {say('add')}
                </Button>
              </form>
            )}
          </>
        )}
      </ReadGate>
      {fingerprint && operator && (
        <StepUp
          decision={{ op: 'device.add', id: operator.id, fingerprint, title: say('add'), act: say('add') }}
          onClose={() => setFingerprint(null)}
          onConfirmed={async (step_up) => {
            const done = await add.run({ step_up, public_key: await createDeviceKey(), name });
            if (done.ok) setName('');
            return done.ok ? null : done.refused;
          }}
        />
      )}
    </section>
  );
}
