import { useNavigation } from '@sathorn/app/navigation';
import { usePreferences } from '@sathorn/app/preferences';
import { Card, Icon, Skeleton, useText } from '@sathorn/ui';
import { useEffect } from 'react';
import { useAccount } from '../parts/account/use-account.ts';
import { useSystemConfig } from '../shell/config.ts';
import { NeverAskNote } from './never-ask-note.tsx';
import { isOwnService, outsideServiceUrl } from './outside-service.ts';
import { ServiceTexts } from './service-texts.tsx';
import './service.css';

/** `#/pages/index/web-view`: opens the brand's external service or our own conversation. */
export default function WebView() {
  return (
    <ServiceTexts>
      <Body />
    </ServiceTexts>
  );
}

function Body() {
  const { t } = useText<'service'>();
  const { redirect } = useNavigation();
  const config = useSystemConfig();
  const { user } = useAccount();
  const language = usePreferences((preferences) => preferences.language);
  const isOwn = config !== undefined && isOwnService(config.service_url);
  useEffect(() => {
    if (isOwn) redirect('/pages/service/index');
  }, [isOwn, redirect]);
  if (!config || isOwn)
    return (
      <div className="page">
        <Skeleton height={180} />
      </div>
    );
  const link = outsideServiceUrl(
    config.service_url,
    user ? { language, username: user.username, id: user.id } : { language },
  );
  return (
    <div className="page">
      <Card className="service-guest">
        <span className="service-mark">
          <Icon name="headset" size={30} />
        </span>
        <h2>{t('service.outside_title')}</h2>
        {link ? (
          <>
            <p className="muted">{t('service.outside', { brand: config.brand, host: link.host })}</p>
            <a className="service-open" href={link.href} target="_blank" rel="noopener noreferrer">
              {t('service.outside_open', { host: link.host })}
            </a>
          </>
        ) : (
          <p role="alert">{t('service.outside_bad')}</p>
        )}
      </Card>
      <NeverAskNote />
    </div>
  );
}
