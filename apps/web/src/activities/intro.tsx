import { PageBar } from '@sathorn/app/shell';
import { useText } from '@sathorn/ui';
import { ActivityTexts } from './activity-texts.tsx';
import { PageText } from './page-text.tsx';

/** `#/pages/intro/intro`: the published introduction to the platform. */
export default function Intro() {
  const { t } = useText();
  return (
    <ActivityTexts>
      <PageBar title={t('screen.intro')} />
      <div className="page activity-page">
        <PageText of="intro" />
      </div>
    </ActivityTexts>
  );
}
