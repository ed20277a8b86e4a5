/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/earning';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';
import './earning.css';

const EARNING = textArea('earning', loaders);
fetchTexts(EARNING);

/** Loads the texts for all screens of lock-up and liquidity. */
export function EarningTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={EARNING}>{children}</AreaTexts>;
}
