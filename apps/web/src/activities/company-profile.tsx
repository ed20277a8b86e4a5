import { useNavigation } from '@sathorn/app/navigation';
import { Card, ListRow, useText } from '@sathorn/ui';
import { ActivityTexts } from './activity-texts.tsx';
import { PageText } from './page-text.tsx';

/** `#/pages/index/companyProfile`: the operating company and its description. */
export default function CompanyProfile() {
  return (
    <ActivityTexts>
      <Profile />
    </ActivityTexts>
  );
}

function Profile() {
  const { t } = useText<'activities'>();
  const { navigate } = useNavigation();
  return (
    <div className="page activity-page">
      <PageText of="company" />
      <PageText of="about" />
      <Card tight>
        <ListRow icon="info" title={t('activities.how_it_works')} onPress={() => navigate('/pages/intro/intro')} />
      </Card>
    </div>
  );
}
