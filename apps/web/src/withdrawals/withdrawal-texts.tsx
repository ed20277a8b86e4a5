/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/withdrawals';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';
import { MoneyTexts } from '../parts/money/money-texts.tsx';

const WITHDRAWALS = textArea('withdrawals', loaders);
fetchTexts(WITHDRAWALS);

/** Loads the withdrawal screens' own texts and the texts about money. */
export function WithdrawalTexts({ children }: { children: ReactNode }) {
  return (
    <MoneyTexts>
      <AreaTexts area={WITHDRAWALS}>{children}</AreaTexts>
    </MoneyTexts>
  );
}
