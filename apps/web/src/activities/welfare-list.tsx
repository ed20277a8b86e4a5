import { useNavigation } from '@sathorn/app/navigation';
import { Card, ListRow, useText } from '@sathorn/ui';
import { Activities } from './activities.tsx';
import { ActivityTexts } from './activity-texts.tsx';

/** `#/pages/index/welfare`: the welfare activities. */
export default function WelfareList() {
  return (
    <ActivityTexts>
      <Welfare />
    </ActivityTexts>
  );
}

function Welfare() {
  const { t } = useText<'activities'>();
  const { navigate } = useNavigation();
  return (
    <div className="page activity-page">
      <Activities kind="welfare" />
      <Card tight>
        <ListRow
          icon="gift"
          title={t('activities.see_all')}
          note={t('activities.see_all_text')}
          onPress={() => navigate('/pages/activeList/index')}
        />
      </Card>
    </div>
  );
}
