import { useRegisterSW } from 'virtual:pwa-register/react';
import { reloadNewest } from '@sathorn/app/late';
import { Button, useText } from '@sathorn/ui';
import { useState } from 'react';
import { APP_VERSION_CODE, isNewerApp } from './app-version.ts';
import { useSystemConfig } from './config.ts';
import './trusted-scripts.ts';
import './update-prompt.css';

/** Offers a newer version: one that this browser has already downloaded, or a newer native app. */
export default function UpdatePrompt() {
  const { t } = useText();
  const config = useSystemConfig();
  const [isPutOff, setPutOff] = useState(false);
  const {
    needRefresh: [isWaiting],
  } = useRegisterSW({ immediate: true });
  const isOld = config !== undefined && isNewerApp(config.appurl_android, APP_VERSION_CODE);
  // Reloading does not update the native app, so this opens its download address, once per version.
  const offered = config?.appurl_android ?? '';
  const isOffered = isOld && takenUp() !== offered;
  if (isPutOff || !(isWaiting || isOffered)) return null;
  const update = () => {
    if (isWaiting) return void reloadNewest();
    takeUp(offered);
    setPutOff(true);
    if (/^https?:/.test(offered)) location.assign(offered);
  };
  return (
    <div className="shell-update" role="status">
      <p>{t('update.please')}</p>
      <Button look="plain" size="small" onClick={() => setPutOff(true)}>
        {t('update.later')}
      </Button>
      <Button size="small" onClick={update}>
        {t('update.now')}
      </Button>
    </div>
  );
}

const STORED_AS = 'update taken up';

function takenUp(): string | null {
  try {
    return sessionStorage.getItem(STORED_AS);
  } catch {
    return null;
  }
}

/** Remembers the offer, so that it is not repeated in this session. */
function takeUp(address: string): void {
  try {
    sessionStorage.setItem(STORED_AS, address);
  } catch {
    // Without storage the next page offers it again.
  }
}
