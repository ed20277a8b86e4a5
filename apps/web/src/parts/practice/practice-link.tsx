import { useNavigation } from '@sathorn/app/navigation';
import { useAreaText } from '@sathorn/app/texts';
import { Button } from '@sathorn/ui';
import { useSystemConfig } from '../../shell/config.ts';
import { PRACTICE_TEXT_AREA } from './practice-texts.ts';

/** A quiet way to the practice account, where somebody is about to trade for the first time. */
export default function PracticeLink() {
  const { navigate } = useNavigation();
  const hasPractice = useSystemConfig()?.practice_url != null;
  const { t } = useAreaText(PRACTICE_TEXT_AREA, hasPractice);
  if (!hasPractice || !t) return null;
  return (
    <Button look="plain" size="small" onClick={() => navigate('/pages/practice/enter')}>
      {t('practice.first')}
    </Button>
  );
}
