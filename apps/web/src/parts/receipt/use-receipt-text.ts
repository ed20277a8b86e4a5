/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/receipt';
import { textArea, useAreaText } from '@sathorn/app/texts';
import type { KeyOf, TextParams } from '@sathorn/text';

const RECEIPT = textArea('receipt', loaders);

export type ReceiptText = (key: KeyOf<'receipt'>, params?: TextParams) => string;

/** Texts about receipts and evidence, loaded on first use. */
export const useReceiptText = (isNeeded: boolean) => useAreaText(RECEIPT, isNeeded);
