import type { Call, RequestOf, ResultOf } from '@sathorn/api';
import { useState } from 'react';
import { useTexts } from './parts/texts/index.ts';
import { type ToSign, useAct } from './use-act.ts';

/**
 * A proposal that its maker signs. The server refuses the first request and names what it would record; `signing` then
 * goes to `<StepUp>`, which sends the same `request` with the confirmation. The form shows what is refused after that.
 */
export function useProposal<C extends Call>(call: C, title: string, onDone?: (data: ResultOf<C>) => void) {
  const { t } = useTexts();
  const { run, isBusy, refused } = useAct(call);
  const [asked, setAsked] = useState<{ readonly request: RequestOf<C>; readonly toSign: ToSign } | null>(null);
  /** Resolves to true if nothing is left to sign. */
  const propose = async (request: RequestOf<C>): Promise<boolean> => {
    const made = await run(request);
    if (made.ok) onDone?.(made.data);
    else if (made.toSign) setAsked({ request, toSign: made.toSign });
    return made.ok;
  };
  const signing = asked && {
    decision: { ...asked.toSign, title, act: t('propose.sign') },
    onClose: () => setAsked(null),
    async onConfirmed(step_up: string) {
      const made = await run({ ...(asked.request as object), step_up } as RequestOf<C>, JSON.stringify(asked.request));
      if (made.ok) onDone?.(made.data);
      return null;
    },
  };
  return { propose, signing, isBusy, refused, request: asked?.request ?? null };
}
