import { Late, renderNothing } from '@sathorn/app/late';
import { practiceOf } from '@sathorn/app/practice';
import { useText } from '@sathorn/ui';
import { useEffect } from 'react';
import { type SystemConfig, useSystemConfig } from './config.ts';
import './demo-banner.css';

const loadPracticeBanner = () => import('./practice-banner.tsx');

/** Shown on every screen of a demo: prices and money are not real. A live deployment never shows it. */
export function DemoBanner() {
  const { t } = useText();
  const config = useLastKnown(useSystemConfig());
  if (practiceOf !== null)
    return (
      <Late
        load={loadPracticeBanner}
        failed={renderNothing}
        waiting={<aside className="shell-demo">{'\u00a0'}</aside>}
      />
    );
  if (config && config.mode === 'live' && config.prices === 'live') return null;
  // The strip's space is reserved until the server says that it is live, so that nothing moves.
  const text = !config
    ? '\u00a0'
    : config.prices === 'replay'
      ? t('demo.replay')
      : config.mode === 'live'
        ? t('demo.prices_only')
        : config.prices === 'live'
          ? t('demo.money_only')
          : t('demo.simulated');
  return <aside className="shell-demo">{text}</aside>;
}

type Shown = Pick<SystemConfig, 'mode' | 'prices'>;
const STORED_AS = 'platform-mode';

/** Stores the server's last answer, so that a demo is marked even when the server is unreachable. */
function useLastKnown(config: Shown | undefined): Shown | undefined {
  const mode = config?.mode;
  const prices = config?.prices;
  useEffect(() => {
    if (mode === undefined || prices === undefined) return;
    try {
      localStorage.setItem(STORED_AS, `${mode} ${prices}`);
    } catch {
      // Without storage an offline page shows an empty strip.
    }
  }, [mode, prices]);
  return config ?? lastKnown();
}

function lastKnown(): Shown | undefined {
  try {
    const [mode, prices] = (localStorage.getItem(STORED_AS) ?? '').split(' ');
    const isMode = mode === 'demo' || mode === 'live';
    const isOrigin = prices === 'live' || prices === 'sim' || prices === 'replay';
    return isMode && isOrigin ? { mode, prices } : undefined;
  } catch {
    return undefined;
  }
}
