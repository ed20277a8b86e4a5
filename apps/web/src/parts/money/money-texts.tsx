/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/money';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

export const MONEY_TEXT_AREA = textArea('money', loaders);
fetchTexts(MONEY_TEXT_AREA);

/** Loads the texts for the screens of deposits, withdrawals and the statement. */
export function MoneyTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={MONEY_TEXT_AREA}>{children}</AreaTexts>;
}
