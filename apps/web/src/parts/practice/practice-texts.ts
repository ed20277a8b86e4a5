/// <reference types="@sathorn/text/virtual" />

import loaders from 'virtual:texts/practice';
import { fetchTexts, textArea } from '@sathorn/app/texts';

export const PRACTICE_TEXT_AREA = textArea('practice', loaders);
fetchTexts(PRACTICE_TEXT_AREA);
