/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/safeguards';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';
import './safeguards.css';

const SAFEGUARDS = textArea('safeguards', loaders);
fetchTexts(SAFEGUARDS);

/** Around the customer's own limits, breaks, alerts and their settings. */
export function SafeguardTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={SAFEGUARDS}>{children}</AreaTexts>;
}
