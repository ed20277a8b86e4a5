/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/portfolio';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

const PORTFOLIO = textArea('portfolio', loaders);
fetchTexts(PORTFOLIO);

/** Loads the texts of cost and profit. */
export function PortfolioTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={PORTFOLIO}>{children}</AreaTexts>;
}
