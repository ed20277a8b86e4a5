import { useText } from '@sathorn/ui';
import { useSystemConfig } from './config.ts';
import './demo-banner.css';

/** On every screen of a demo: prices are not real and money is not money. A live deployment never shows it. */
export function DemoBanner() {
  const { t } = useText();
  const config = useSystemConfig();
  if (config && config.mode === 'live' && config.prices === 'live') return null;
  // Until the server has said that it is live, the place is kept so that nothing jumps.
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
