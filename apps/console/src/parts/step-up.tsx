import { confirmStepUp, type STEP_UP_ACTS, startStepUp } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { answerWithPasskey, hasPasskeys } from '../passkey.ts';
import { Dialog } from '../shell/dialog.tsx';
import { type Refused, useAct } from '../use-act.ts';
import { Field } from './field.tsx';
import { Refusal } from './states.tsx';
import { useTexts } from './texts/index.ts';

export interface Decision {
  readonly op: (typeof STEP_UP_ACTS)[number];
  readonly id: string;
  /** Fingerprint of the content on the screen. The confirmation is valid for this content only. */
  readonly fingerprint: string;
  readonly title: string;
  readonly act: string;
}

/**
 * Restates a decision and has the operator confirm it, by passkey or code. `onConfirmed` then sends the decision with
 * the confirmation and returns a refusal, or null on success.
 */
export function StepUp({
  decision,
  children,
  onConfirmed,
  onClose,
}: {
  decision: Decision;
  children?: ReactNode;
  onConfirmed: (stepUp: string) => Promise<Refused | null>;
  onClose: () => void;
}) {
  const { t } = useTexts();
  const start = useAct(startStepUp);
  const confirm = useAct(confirmStepUp);
  const [asked, setAsked] = useState<{ step_up: string; ways: readonly string[]; options: string | null } | null>(null);
  const [refused, setRefused] = useState<Refused | null>(null);
  const [isDeciding, setDeciding] = useState(false);
  const hasBegun = useRef(false);
  const { op, id, fingerprint } = decision;
  const begin = async () => {
    const begun = await start.run({ op, id, fingerprint });
    if (begun.ok) setAsked(begun.data);
  };
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void begin();
  });
  const decide = async (answer: { code?: string; credential?: string }) => {
    if (!asked) return;
    setDeciding(true);
    setRefused(null);
    const confirmed = await confirm.run({ step_up: asked.step_up, ...answer });
    if (confirmed.ok) {
      const why = await onConfirmed(asked.step_up);
      if (why === null) return onClose();
      setRefused(why);
      // A confirmation can be used only once, so another try starts a new one.
      await begin();
    } else if (confirmed.refused.code === 'step_up_expired') await begin();
    setDeciding(false);
  };
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
          {asked?.options && hasPasskeys() && (
            <Button
              icon="key"
              busy={isDeciding}
              onClick={async () => {
                const credential = await answerWithPasskey(asked.options ?? '');
                if (credential !== null) await decide({ credential });
              }}
            >
              {t('step_up.passkey', { act: decision.act })}
            </Button>
          )}
          <Field
            name="code"
            label={t('step_up.code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            fault={confirm.refused?.fields.code}
          />
          <Refusal refused={refused ?? confirm.refused ?? start.refused} />
          <div className="row">
            <Button look="soft" size="small" onClick={onClose}>
              {t('act.cancel')}
            </Button>
            <Button type="submit" size="small" busy={isDeciding || start.isBusy} disabled={!asked}>
              {decision.act}
            </Button>
          </div>
        </form>
      </div>
    </Dialog>
  );
}
