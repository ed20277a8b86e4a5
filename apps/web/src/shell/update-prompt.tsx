import { useRegisterSW } from 'virtual:pwa-register/react';
import { Button, useText } from '@sathorn/ui';
import { useState } from 'react';
import { APP_CODE, isNewer } from './app-version.ts';
import { useSystemConfig } from './config.ts';
import { loadAnew } from './load-anew.ts';
import './trusted-scripts.ts';
import './update-prompt.css';

/** A newer version waits: in this browser, or on the server by the version in its app's address. */
export function UpdatePrompt() {
  const { t } = useText();
  const config = useSystemConfig();
  const [isPutOff, setPutOff] = useState(false);
  const {
    needRefresh: [isWaiting],
  } = useRegisterSW({ immediate: true });
  const isOld = config !== undefined && isNewer(config.appurl_android, APP_CODE);
  if (isPutOff || !(isWaiting || isOld)) return null;
  return (
    <div className="shell-update" role="status">
      <p>{t('update.please')}</p>
      <Button look="plain" size="small" onClick={() => setPutOff(true)}>
        {t('update.later')}
      </Button>
      <Button size="small" onClick={() => void loadAnew()}>
        {t('update.now')}
      </Button>
    </div>
  );
}
