import { practiceOf } from '@sathorn/app/practice';
import { useAreaText } from '@sathorn/app/texts';
import { PRACTICE_TEXT_AREA } from '../parts/practice/practice-texts.ts';
import './practice-banner.css';

/** Above every screen of a practice platform: what its money is, and the way back to the real account. */
export default function PracticeBanner() {
  const { t } = useAreaText(PRACTICE_TEXT_AREA, true);
  return (
    <aside className="shell-demo shell-practice">
      {t ? (
        <>
          <span>{t('practice.banner')}</span> <a href={`${practiceOf}/#/pages/mine/mine`}>{t('practice.back')}</a>
        </>
      ) : (
        '\u00a0'
      )}
    </aside>
  );
}
