/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/log';
import { textArea, useAreaText } from '@sathorn/app/texts';
import type { KeyOf, TextParams } from '@sathorn/text';

const LOG = textArea('log', loaders);

export type LogText = (key: KeyOf<'log'>, params?: TextParams) => string;

/** Texts about the platform's public log, loaded on first use. */
export const useLogText = (isNeeded: boolean) => useAreaText(LOG, isNeeded);
