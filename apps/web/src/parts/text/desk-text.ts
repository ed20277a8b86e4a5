/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/desk';
import { textArea, useAreaText } from '@sathorn/app/texts';

const DESK_TEXTS = textArea('desk', loaders);

/** Returns the texts of the charts' tools, the odds and the desktop's shortcuts; undefined until they are loaded. */
export const useDeskText = () => useAreaText(DESK_TEXTS, true).t;
