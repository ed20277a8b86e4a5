import type { ContentLanguage } from '@sathorn/api';
import { Tag } from '../../../parts/parts.tsx';
import { compareWaitingChange, type WaitingChange } from './compare-waiting-change.ts';
import { useChangeTexts } from './texts.ts';

const LOOKS = { same: undefined, changed: 'warn', new: 'brand', gone: 'danger' } as const;

/** Shows whether this language differs from the published text. */
export function ChangeTag({ waiting, language }: { waiting: WaitingChange; language: ContentLanguage }) {
  const c = useChangeTexts();
  const { state } = compareWaitingChange(waiting, language);
  return <Tag look={LOOKS[state]}>{c(`state.${state}`)}</Tag>;
}
