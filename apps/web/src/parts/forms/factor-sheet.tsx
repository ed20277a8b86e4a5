import { FACTOR_REFUSALS } from '@sathorn/api';
import { type Failure, failureText } from '@sathorn/app/client';
import { Sheet, useText } from '@sathorn/ui';
import { useState } from 'react';
import { FactorStep } from './factor-step.tsx';
import type { ProvenOperation } from './passkeys.ts';

const REFUSALS: ReadonlySet<string> = new Set(FACTOR_REFUSALS);

/** The fault of a refusal that asks for a second factor; null for another refusal. A first request is no fault. */
export function factorFault(failure: Failure, sentence: string): { readonly sentence: string | undefined } | null {
  if (!REFUSALS.has(failure.code)) return null;
  return { sentence: failure.code === 'second_factor_required' ? undefined : sentence };
}

/** Opens the sheet when the server asks for a second factor, for pages that ask for everything else themselves. */
export function useFactorSheet() {
  const texts = useText();
  const [isOpen, setOpen] = useState(false);
  const [refused, setRefused] = useState<{ sentence: string | undefined; attempt: number }>();
  return {
    isOpen,
    refused,
    close: () => setOpen(false),
    /** Returns true if the refusal asks for a factor. */
    takeRefusal: (failure: Failure): boolean => {
      const fault = factorFault(failure, failureText(failure, texts));
      setOpen(fault !== null);
      if (fault) setRefused({ sentence: fault.sentence, attempt: (refused?.attempt ?? 0) + 1 });
      return fault !== null;
    },
  };
}

interface FactorSheetProps {
  factor: Pick<ReturnType<typeof useFactorSheet>, 'isOpen' | 'refused'>;
  onClose: () => void;
  title: string;
  operation: ProvenOperation;
  subject: string;
  onProof: (otp: string) => void;
  busy: boolean;
}

export function FactorSheet({ factor, onClose, title, busy, ...asked }: FactorSheetProps) {
  return (
    <Sheet open={factor.isOpen} onClose={onClose} title={title} blocking={busy}>
      {factor.isOpen && (
        <FactorStep {...asked} key={factor.refused?.attempt} fault={factor.refused?.sentence} busy={busy} />
      )}
    </Sheet>
  );
}
