import { type ApprovalView, signVote } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { useOperator } from '../../operator.ts';
import { StepUp } from '../../parts/step-up.tsx';
import { useAct } from '../../use-act.ts';
import { useVoteTexts } from './texts.ts';

type Shown = Pick<ApprovalView, 'id' | 'fingerprint' | 'votes' | 'kind' | 'need' | 'made_by' | 'status'>;

/**
 * Names the people who must confirm their votes again, because these are older than signed votes, and lets this
 * operator confirm their own. Newer unsigned votes are forged, so nobody is asked to confirm them. The note also
 * explains why an unsigned proposal needs two votes.
 */
export function UnsignedVotes({ approval }: { approval: Shown }) {
  const { id, fingerprint, votes, kind, need, made_by: maker, status } = approval;
  const { say } = useVoteTexts();
  const operator = useOperator();
  const sign = useAct(signVote);
  const [isSigning, setSigning] = useState(false);
  const people = (of: ApprovalView['votes']): string => of.map(({ by }) => by.work_name).join(', ');
  const fromBefore = votes.filter(({ may_sign: maySign }) => maySign);
  const planted = votes.filter(({ signed_by: signedBy, may_sign: maySign }) => signedBy === null && !maySign);
  const own = fromBefore.find(({ by }) => by.id === operator?.id);
  if (planted.length > 0)
    return (
      <p className="note" data-look="danger" role="alert">
        {say('planted', { people: people(planted) })}
      </p>
    );
  // Two administrators register a key, whoever asks.
  if (status === 'waiting' && maker && need > 1 && kind !== 'voting_key')
    return <p className="note">{say('maker_unsigned', { maker: maker.work_name })}</p>;
  if (fromBefore.length === 0) return null;
  return (
    <div className="note" data-look="warn">
      <p>{say('unsigned_people', { people: people(fromBefore) })}</p>
      {own && (
        <Button size="small" icon="key" onClick={() => setSigning(true)}>
          {say('confirm_again')}
        </Button>
      )}
      {own && isSigning && (
        <StepUp
          decision={{
            op: own.decision === 'approve' ? 'approval.approve' : 'approval.reject',
            id,
            fingerprint,
            title: say('confirm_again'),
            act: say('sign'),
          }}
          onClose={() => setSigning(false)}
          onConfirmed={async (step_up) => {
            const done = await sign.run({ id, fingerprint, step_up });
            return done.ok ? null : done.refused;
          }}
        >
          <p className="note">{say('confirm_what')}</p>
        </StepUp>
      )}
    </div>
  );
}
