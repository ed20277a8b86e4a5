import { useNavigation } from '@sathorn/app/navigation';
import { useSession } from '@sathorn/app/session';
import { PageBar } from '@sathorn/app/shell';
import { Button, Card, Icon, useText } from '@sathorn/ui';
import { useEffect } from 'react';
import { useSystemConfig } from '../shell/config.ts';
import { Conversation } from './conversation.tsx';
import { NeverAsk } from './never-ask.tsx';
import { isOwnService } from './outside-service.ts';
import { ServiceTexts } from './service-texts.tsx';
import './service.css';

/** `#/pages/service/index` */
export default function Service() {
  return (
    <ServiceTexts>
      <Body />
    </ServiceTexts>
  );
}

function Body() {
  const { t } = useText<'service'>();
  const { navigate, redirect } = useNavigation();
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
      <div className="page">
        <Card className="service-guest">
          <span className="service-mark">
            <Icon name="headset" size={30} />
          </span>
          <h2>{t('service.guest_title')}</h2>
          <p className="muted">{t('service.guest')}</p>
          <Button onClick={() => navigate('/pages/login/login', { from: '/pages/service/index' })}>
            {t('login.submit')}
          </Button>
          <Button look="soft" onClick={() => navigate('/pages/login/forgetPwd')}>
            {t('service.forgot')}
          </Button>
        </Card>
        <NeverAsk />
      </div>
    </>
  );
}
