/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/desk';
import { textArea, useAreaText } from '@sathorn/app/texts';

const DESK_TEXTS = textArea('desk', loaders);

/** The texts of charts' tools and of a desk's keys; undefined until they are loaded. */
export const useDeskText = () => useAreaText(DESK_TEXTS, true).t;
