/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/disputes';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

const DISPUTES = textArea('disputes', loaders);
fetchTexts(DISPUTES);

/** Loads the texts of disputes and corrections. */
export function DisputeTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={DISPUTES}>{children}</AreaTexts>;
}
