import { type ResultOf, type readTreasury, signTreasuryRun, type TreasuryRun, withdrawTreasuryRun } from '@sathorn/api';
import { formatMoney, money, parseMoney } from '@sathorn/money';
import { challengeOfSafe } from '@sathorn/treasury';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { Facts, GroupedText, Money, VotePips } from '../../parts/parts.tsx';
import { RefusalNote } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { answerWithPasskey } from '../../passkey.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { useAct } from '../../use-act.ts';
import { LinesTable } from './lines-table.tsx';
import { hashOfRun, type TreasuryView } from './run-hash.ts';
import { type TreasurySentence, useTreasuryTexts } from './texts.ts';

type Own = ResultOf<typeof readTreasury>['own'];

const unitsOf = (text: string): bigint => parseMoney('USDT', text)?.units ?? 0n;

/** The open run: everything that its signatures will say, and the way to sign it. */
export function RunCard({
  run,
  treasury,
  own,
  mayAct,
}: {
  run: TreasuryRun;
  treasury: TreasuryView;
  own: Own;
  mayAct: boolean;
}) {
  const { dateTime } = useTexts();
  const { say } = useTreasuryTexts();
  const withdraw = useAct(withdrawTreasuryRun);
  const [isSigning, setSigning] = useState(false);
  const hash = hashOfRun(run, treasury);
  const isSame = hash === run.hash;
  const topUps = run.lines.filter(({ withdrawal }) => withdrawal === null);
  const inside = topUps.reduce((sum, { amount }) => sum + unitsOf(amount), 0n);
  const afterOf = (held: string, change: bigint): string => formatMoney(money('USDT', unitsOf(held) - change));
  return (
    <section className="card">
      <div className="hd">
        <h2>{say('run', { nonce: run.nonce })}</h2>
        <span className="c">
          {say('opened', { name: run.opened_by.work_name, time: dateTime(run.opened_at) })}
          {run.step === 'open' && ` · ${say('lapses', { time: dateTime(run.lapses_at) })}`}
        </span>
      </div>
      <RunContent run={run} />
      <div className="bd col">
        <Facts
          facts={[
            [say('sum'), <Money key="sum" of={run.total} />],
            [say('signing'), <VotePips key="pips" given={run.signatures.length} need={treasury.threshold} />],
            ...run.signatures.map(({ by, at }) => [by.work_name, dateTime(at)] as const),
            [say('token'), <GroupedText key="token" text={treasury.token} />],
            [say('hash'), <GroupedText key="hash" text={hash ?? ''} />],
          ]}
        />
        {run.change === null && (
          <>
            <h3>{say('after')}</h3>
            <Facts
              facts={[
                [say('treasury'), <Money key="safe" of={afterOf(treasury.held.treasury, unitsOf(run.total))} />],
                [say('hot'), <Money key="hot" of={afterOf(treasury.held.hot, -inside)} />],
              ]}
            />
          </>
        )}
        {run.step !== 'open' && <p className="note">{say('signed.note')}</p>}
        {!isSame && (
          <p className="note" data-look="danger" role="alert">
            {say('differs')}
          </p>
        )}
        {run.step === 'open' && isSame && own.refusal !== null && (
          <p className="note">{say(`why.${own.refusal}` as TreasurySentence)}</p>
        )}
        {run.step === 'open' && mayAct && (
          <div className="row">
            {isSame && own.refusal === null && (
              <Button size="small" onClick={() => setSigning(true)}>
                {say(own.kind === 'demo' ? 'sign.demo' : 'sign')}
              </Button>
            )}
            <Button size="small" look="soft" busy={withdraw.isBusy} onClick={() => void withdraw.run({ id: run.id })}>
              {say('withdraw')}
            </Button>
          </div>
        )}
        <RefusalNote refused={withdraw.refused} />
      </div>
      {isSigning && hash !== null && <Sign run={run} hash={hash} own={own} onClose={() => setSigning(false)} />}
    </section>
  );
}

/** The payments of a run, or its change of owners. */
function RunContent({ run: { change, lines, nonce } }: { run: TreasuryRun }) {
  const { say } = useTreasuryTexts();
  if (change === null) return <LinesTable label={say('run', { nonce })} lines={lines} />;
  const shown = ({ address, operator }: NonNullable<typeof change.coming>) => (
    <>
      {operator?.work_name ?? say('somebody')} <GroupedText text={address} />
    </>
  );
  return (
    <div className="bd col">
      <h3>{say('change.title')}</h3>
      <Facts
        facts={[
          ...(change.leaving ? [[say('leaving'), shown(change.leaving)] as const] : []),
          ...(change.coming ? [[say('coming'), shown(change.coming)] as const] : []),
        ]}
      />
    </div>
  );
}

function Sign({ run, hash, own, onClose }: { run: TreasuryRun; hash: `0x${string}`; own: Own; onClose: () => void }) {
  const { t, amount } = useTexts();
  const { say } = useTreasuryTexts();
  const sign = useAct(signTreasuryRun);
  const send = async () => {
    const request = { id: run.id, hash };
    if (own.kind === 'demo') {
      if ((await sign.run(request)).ok) onClose();
      return;
    }
    const allowCredentials = own.credentials.map((id) => ({ id }));
    const options = {
      challenge: challengeOfSafe(hash),
      allowCredentials,
      userVerification: 'required',
      timeout: 120_000,
    };
    const credential = await answerWithPasskey(JSON.stringify(options));
    if (credential !== null && (await sign.run({ ...request, credential })).ok) onClose();
  };
  return (
    <Dialog label={say('run', { nonce: run.nonce })} onClose={onClose}>
      <div className="bd col">
        <p>
          {run.change
            ? say('sign.owners')
            : say('sign.ask', { count: String(run.lines.length), total: amount(run.total) })}
        </p>
        <RunContent run={run} />
        <Facts facts={[[say('hash'), <GroupedText key="hash" text={hash} />]]} />
        {own.kind === 'demo' && <p className="note">{say('demo.note')}</p>}
        <RefusalNote refused={sign.refused} />
        <div className="row">
          <Button busy={sign.isBusy} onClick={() => void send()}>
            {say(own.kind === 'demo' ? 'sign.demo' : 'sign')}
          </Button>
          <Button look="soft" onClick={onClose}>
            {t('act.cancel')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
