import { type ResultOf, readTreasurySetup } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { copyText } from '@sathorn/app/shell';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { Facts, GroupedText, Tag } from '../../parts/parts.tsx';
import { ReadGate } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useTreasuryTexts } from './texts.ts';

type Setup = ResultOf<typeof readTreasurySetup>;

/** How a deployment on a real chain gets its treasury: what is there, and the transactions that make the rest. */
export default function SetupGuide() {
  const { say } = useTreasuryTexts();
  const query = useRead(readTreasurySetup, {}, { everyMs: 15_000 });
  return (
    <section className="card">
      <div className="hd">
        <h2>{say('setup')}</h2>
      </div>
      <ReadGate query={query} rows={8}>
        {(setup) => <Steps setup={setup} />}
      </ReadGate>
    </section>
  );
}

function Steps({ setup: { chain, owners_min: least, threshold, people, cold, safe } }: { setup: Setup }) {
  const { say } = useTreasuryTexts();
  const missing = people.filter(({ create, is_there: isThere }) => create !== null && !isThere);
  return (
    <div className="bd col">
      <p className="note">{say('setup.why', { chain })}</p>
      <p>{say('setup.keys', { count: String(least) })}</p>
      <Facts
        facts={[
          ...people.map(
            ({ operator, address, is_there: isThere }) =>
              [
                operator.work_name,
                address === null ? (
                  <Tag key="none" look="warn">
                    {say('setup.no_key')}
                  </Tag>
                ) : (
                  <span key="address">
                    <GroupedText text={address} /> <There isThere={isThere} />
                  </span>
                ),
              ] as const,
          ),
          ...cold.map(
            (address, n) => [`${say('cold')} ${n + 1}`, <GroupedText key={address} text={address} />] as const,
          ),
        ]}
      />
      <p>{say('setup.signers')}</p>
      {missing.map(
        ({ operator, create }) => create && <Transaction key={operator.id} name={operator.work_name} call={create} />,
      )}
      {safe === null ? (
        <p className="note">{say('setup.few')}</p>
      ) : (
        <>
          <p>
            {say('setup.safe', { threshold: String(threshold) })} <GroupedText text={safe.address} />{' '}
            <There isThere={safe.is_there} />
          </p>
          {!safe.is_there && <Transaction name="Safe 1.5.0" call={safe.create} />}
          <p>{say('setup.start', { address: safe.address })}</p>
        </>
      )}
    </div>
  );
}

function There({ isThere }: { isThere: boolean }) {
  const { say } = useTreasuryTexts();
  return <Tag look={isThere ? 'ok' : 'warn'}>{say(isThere ? 'setup.there' : 'setup.missing')}</Tag>;
}

/** A transaction to send, without coins. Addresses are not in groups here, because people copy them. */
function Transaction({ name, call: { to, data } }: { name: string; call: { to: string; data: string } }) {
  const { say } = useTreasuryTexts();
  return (
    <div className="note col">
      <b>{name}</b>
      <Copied name={say('setup.to')} text={to} />
      <Copied name={say('setup.data')} text={data} />
    </div>
  );
}

function Copied({ name, text }: { name: string; text: string }) {
  const { t } = useTexts();
  const [isCopied, setCopied] = useState(false);
  return (
    <div>
      <p className="row sp">
        <span>{name}</span>
        <Button
          size="small"
          look="soft"
          icon="copy"
          aria-label={`${t(isCopied ? 'act.copied' : 'act.copy')} ${name}`}
          onClick={() => void copyText(text).then(setCopied)}
        >
          {t(isCopied ? 'act.copied' : 'act.copy')}
        </Button>
      </p>
      <code className="mono break" dir="ltr">
        {text}
      </code>
    </div>
  );
}
