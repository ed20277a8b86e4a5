/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/statement';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';
import { MoneyTexts } from '../parts/money/money-texts.tsx';

const STATEMENT = textArea('statement', loaders);
fetchTexts(STATEMENT);

/** Loads the texts of the monthly statement, and the names of its rows. */
export function StatementTexts({ children }: { children: ReactNode }) {
  return (
    <MoneyTexts>
      <AreaTexts area={STATEMENT}>{children}</AreaTexts>
    </MoneyTexts>
  );
}
