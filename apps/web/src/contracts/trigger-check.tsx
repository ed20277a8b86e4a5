import { formatCount } from '@sathorn/text';
import { Button, useText } from '@sathorn/ui';
import { useState } from 'react';
import { useProofKeys } from '../parts/receipt/use-proof-keys.ts';
import type { TriggerVerdict } from './judge-trigger.ts';
import type { ReadWaiting } from './read-waiting.ts';

/** Verifies in this browser that the tick triggers the order, and that none before it does. */
export function TriggerCheck({ order }: { order: ReadWaiting }) {
  const { t, presentation } = useText<'waiting'>();
  const { keys } = useProofKeys();
  const [verdict, setVerdict] = useState<TriggerVerdict | null>(null);
  const [isBusy, setBusy] = useState(false);
  const verify = async () => {
    if (keys === undefined) return;
    setBusy(true);
    const { judgeTrigger } = await import('./judge-trigger.ts');
    setVerdict(await judgeTrigger(order, keys));
    setBusy(false);
  };
  const count = verdict && formatCount(verdict.count, presentation);
  return (
    <>
      {verdict && (
        <p role="status" className={verdict.fault === null ? 'trigger-correct' : 'ticket-fault'}>
          {verdict.fault === null
            ? t(verdict.isWhole ? 'waiting.verified' : 'waiting.verified_part', { count: count ?? '' })
            : t(`waiting.fault.${verdict.fault}`)}
        </p>
      )}
      <Button look="soft" busy={isBusy} disabled={keys === undefined} onClick={() => void verify()}>
        {t('waiting.verify')}
      </Button>
    </>
  );
}
