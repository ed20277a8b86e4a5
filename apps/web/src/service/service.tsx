import { useNavigation } from '@sathorn/app/navigation';
import { useSession } from '@sathorn/app/session';
import { PageBar } from '@sathorn/app/shell';
import { useText } from '@sathorn/ui';
import { useEffect } from 'react';
import { useSystemConfig } from '../shell/config.ts';
import { Conversation } from './conversation.tsx';
import { isOwnService } from './outside-service.ts';
import { ServiceTexts } from './service-texts.tsx';
import { VisitorForm } from './visitor-form.tsx';
import './service.css';

/** `#/pages/service/index`: the conversation with customer service. */
export default function Service() {
  return (
    <ServiceTexts>
      <Body />
    </ServiceTexts>
  );
}

function Body() {
  const { t } = useText<'service'>();
  const { redirect } = useNavigation();
  const isCustomer = useSession(({ token }) => token !== null);
  const config = useSystemConfig();
  const isElsewhere = config !== undefined && !isOwnService(config.service_url);
  useEffect(() => {
    if (isElsewhere) redirect('/pages/index/web-view');
  }, [isElsewhere, redirect]);
  if (isElsewhere) return <PageBar title={t('service.team')} />;
  if (isCustomer) return <Conversation />;
  return (
    <>
      <PageBar title={t('service.team')} />
      <VisitorForm />
    </>
  );
}
