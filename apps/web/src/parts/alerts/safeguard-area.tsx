/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/safeguards';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

const SAFEGUARDS = textArea('safeguards', loaders);
fetchTexts(SAFEGUARDS);

export function SafeguardArea({ children }: { children: ReactNode }) {
  return <AreaTexts area={SAFEGUARDS}>{children}</AreaTexts>;
}
