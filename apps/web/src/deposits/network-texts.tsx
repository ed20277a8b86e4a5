/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/networks';
import { AreaTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

const NETWORKS = textArea('networks', loaders);

/** Loads the texts about transfers on networks that the platform does not read. */
export function NetworkTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={NETWORKS}>{children}</AreaTexts>;
}
