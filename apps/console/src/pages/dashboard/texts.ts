import { useOwnTexts } from '../../parts/texts/use-own-texts.ts';
import en from './en.json';
import th from './th.json';

const SENTENCES = { en, th };
export const useDashboardTexts = () => useOwnTexts(SENTENCES);
