/// <reference types="@sathorn/text/virtual" />

import { PartTexts, textPart, usePartText } from '@sathorn/app/texts';
import type { ContractMessageKey } from '@sathorn/text';
import type { ReactNode } from 'react';

const PART = textPart<ContractMessageKey>('contracts', {
  th: () => import('virtual:catalogue/th/contracts'),
  en: () => import('virtual:catalogue/en/contracts'),
  zh: () => import('virtual:catalogue/zh/contracts'),
  jp: () => import('virtual:catalogue/jp/contracts'),
  ar: () => import('virtual:catalogue/ar/contracts'),
  hi: () => import('virtual:catalogue/hi/contracts'),
});

/** Around every screen of contract trading. */
export function ContractTexts({ children }: { children: ReactNode }) {
  return <PartTexts part={PART}>{children}</PartTexts>;
}

export const useContractText = () => usePartText(PART);
