/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/accesses';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

const ACCESSES = textArea('accesses', loaders);
fetchTexts(ACCESSES);

/** Loads the texts for the list of the staff's accesses and of sign-ins. */
export function AccessTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={ACCESSES}>{children}</AreaTexts>;
}
