/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/receipt';
import { textArea, useAreaText } from '@sathorn/app/texts';
import type { KeyOf, TextParams } from '@sathorn/text';

const RECEIPT = textArea('receipt', loaders);

export type ReceiptText = (key: KeyOf<'receipt'>, params?: TextParams) => string;

/** Sentences about receipts and evidence, which are fetched when something is to be said. */
export const useReceiptText = (isNeeded: boolean) => useAreaText(RECEIPT, isNeeded);
