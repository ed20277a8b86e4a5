/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/help';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

const HELP = textArea('help', loaders);
fetchTexts(HELP);

/** Loads the answers of the help centre. */
export function HelpTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={HELP}>{children}</AreaTexts>;
}
