import { practiceOf } from '@sathorn/app/practice';
import { PageBar } from '@sathorn/app/shell';
import { AreaTexts } from '@sathorn/app/texts';
import { useText } from '@sathorn/ui';
import { PRACTICE_TEXT_AREA } from '../parts/practice/practice-texts.ts';
import { EnterPractice } from './enter-practice.tsx';
import { OpenPractice } from './open-practice.tsx';

/** `#/pages/practice/enter`: from the real platform to the practice platform, and there the way in. */
export default function Practice() {
  const { t } = useText();
  return (
    <>
      <PageBar title={t('screen.practice')} />
      <AreaTexts area={PRACTICE_TEXT_AREA}>
        {practiceOf === null ? <OpenPractice /> : <EnterPractice of={practiceOf} />}
      </AreaTexts>
    </>
  );
}
