import { confirmStepUp, type ResultOf, startStepUp } from '@sathorn/api';
import { Late, type LoadPart } from '@sathorn/app/late';
import { Button } from '@sathorn/ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useOperator } from '../operator.ts';
import { answerWithPasskey, hasPasskeys } from '../passkey.ts';
import { Dialog } from '../shell/dialog.tsx';
import { type RefusedAct, type ToSign, useAct } from '../use-act.ts';
import type { VoteNotesProps } from '../vote-notes.tsx';
import { Field } from './field.tsx';
import { RefusalNote } from './states.tsx';
import { useTexts } from './texts/index.ts';

/** Loaded only when an operator signs something. */
const loadSigning = () => import('../same-vote.ts');
const loadVoteNotes: LoadPart<VoteNotesProps> = () => import('../vote-notes.tsx');

export interface StepUpDecision extends ToSign {
  readonly title: string;
  readonly act: string;
}

type Question = ResultOf<typeof startStepUp> & {
  /** This browser's way to sign a vote without a passkey; null if there is nothing to sign. */
  readonly signer: 'none' | 'device' | 'demo' | null;
};

/**
 * Restates a decision and lets the operator confirm it by passkey or code. `onConfirmed` then sends the decision with
 * the confirmation and returns a refusal, or null on success.
 */
export function StepUp({
  decision,
  children,
  onConfirmed,
  onClose,
}: {
  decision: StepUpDecision;
  children?: ReactNode;
  onConfirmed: (stepUp: string) => Promise<RefusedAct | null>;
  onClose: () => void;
}) {
  const { t } = useTexts();
  const operator = useOperator();
  const start = useAct(startStepUp);
  const confirm = useAct(confirmStepUp);
  const [question, setQuestion] = useState<Question | null>(null);
  const [isOther, setOther] = useState(false);
  const [refused, setRefused] = useState<RefusedAct | null>(null);
  const [isDeciding, setDeciding] = useState(false);
  /** The pending challenge. A code that the operator types before it arrives is sent once it has arrived. */
  const asking = useRef<Promise<Question | null> | null>(null);
  const { op, id, fingerprint } = decision;
  const ask = async (): Promise<Question | null> => {
    const begun = await start.run({ op, id, fingerprint });
    if (!begun.ok) return null;
    const { vote, device_keys: keys, is_demo: isDemo } = begun.data;
    let signer: Question['signer'] = null;
    if (vote !== null) {
      const { hasDeviceKey, isSameVote } = await loadSigning();
      // Refuses to sign anything that is not on the screen.
      if (!isSameVote(vote, begun.data, { op, id, fingerprint, operator: operator?.id ?? '' })) {
        setOther(true);
        return null;
      }
      signer = (await hasDeviceKey(keys)) ? 'device' : isDemo ? 'demo' : 'none';
    }
    const asked = { ...begun.data, signer };
    setQuestion(asked);
    return asked;
  };
  const begin = () => {
    asking.current = ask();
    return asking.current;
  };
  useEffect(() => {
    if (asking.current === null) void begin();
  });
  const decide = async (answer: { code?: string; credential?: string }) => {
    setDeciding(true);
    setRefused(null);
    const asked = (await asking.current) ?? (await begin());
    if (asked !== null) {
      const toSign = asked.signer === 'device' && answer.credential === undefined ? asked.vote : null;
      const signed = toSign === null ? null : await (await loadSigning()).signWithDevice(asked.device_keys, toSign);
      const confirmed = await confirm.run({ step_up: asked.step_up, ...answer, ...signed });
      if (confirmed.ok) {
        const why = await onConfirmed(asked.step_up);
        if (why === null) return onClose();
        setRefused(why);
        // A confirmation can be used only once, so another try starts a new one.
        await begin();
      } else if (confirmed.refused.code === 'step_up_expired') await begin();
    }
    setDeciding(false);
  };
  const signer = question?.signer ?? null;
  const hasCode = signer !== 'none';
  return (
    <Dialog label={decision.title} onClose={onClose}>
      <div className="hd">
        <h2>{decision.title}</h2>
      </div>
      <div className="bd col">
        {children}
        <p className="c">
          {t('step_up.binds')}{' '}
          <span className="mono">
            {fingerprint.slice(0, 8)}…{fingerprint.slice(-8)}
          </span>
        </p>
        <form
          className="col"
          onSubmit={(event) => {
            event.preventDefault();
            void decide({ code: String(new FormData(event.currentTarget).get('code') ?? '') });
          }}
        >
          {question?.options && hasPasskeys() && (
            <Button
              icon="key"
              busy={isDeciding}
              onClick={async () => {
                const credential = await answerWithPasskey(question.options ?? '');
                if (credential !== null) await decide({ credential });
              }}
            >
              {t('step_up.passkey', { act: decision.act })}
            </Button>
          )}
          {(isOther || signer !== null) && (
            <Late load={loadVoteNotes} waiting={null}>
              {(VoteNotes) => <VoteNotes isOther={isOther} signer={signer} asked={question} />}
            </Late>
          )}
          {hasCode && (
            <Field
              name="code"
              label={t('step_up.code')}
              inputMode="numeric"
              autoComplete="one-time-code"
              fault={confirm.refused?.fields.code}
            />
          )}
          <RefusalNote refused={refused ?? confirm.refused ?? start.refused} />
          <div className="row">
            <Button look="soft" size="small" onClick={onClose}>
              {t('act.cancel')}
            </Button>
            <Button type="submit" size="small" busy={isDeciding} disabled={isOther || !hasCode}>
              {decision.act}
            </Button>
          </div>
        </form>
      </div>
    </Dialog>
  );
}
