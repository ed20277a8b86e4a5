/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/identity';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

const IDENTITY = textArea('identity', loaders);
fetchTexts(IDENTITY);

/** Loads the texts for the screens of wallets, bank cards, certification, levels and security. */
export function IdentityTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={IDENTITY}>{children}</AreaTexts>;
}
