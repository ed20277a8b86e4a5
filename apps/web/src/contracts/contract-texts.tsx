/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/contracts';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

const CONTRACTS = textArea('contracts', loaders);
fetchTexts(CONTRACTS);

/** Loads the texts for all screens of contract trading. */
export function ContractTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={CONTRACTS}>{children}</AreaTexts>;
}
