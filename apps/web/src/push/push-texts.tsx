/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/push';
import { AreaTexts, fetchTexts, textArea } from '@sathorn/app/texts';
import type { ReactNode } from 'react';

const PUSH = textArea('push', loaders);
fetchTexts(PUSH);

export function PushTexts({ children }: { children: ReactNode }) {
  return <AreaTexts area={PUSH}>{children}</AreaTexts>;
}
