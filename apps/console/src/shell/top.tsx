import { logoutOperator } from '@sathorn/api';
import { setPreferences, themeOf, usePreferences } from '@sathorn/app/preferences';
import { IconButton } from '@sathorn/ui';
import { type ReactNode, useEffect, useState } from 'react';
import { brand } from '#brand';
import { leave } from '../operator.ts';
import { useTexts } from '../parts/texts/index.ts';
import { loadAllTexts } from '../parts/texts/use-own-texts.ts';
import { placeOf, READERS_ZONE, zoneChoice } from '../parts/texts/zone.ts';
import { useIsLineLost } from '../parts/use-live.ts';
import { useAct } from '../use-act.ts';
import { SavedViews } from './saved-views.tsx';

export interface Tab {
  readonly name: string;
  readonly label: string;
  readonly count?: number | undefined;
}

function Clock() {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const { t, time } = useTexts();
  const zone = zoneChoice.use();
  const shown = (
    <time className="num" dateTime={now.toISOString()}>
      {time(now.toISOString())} {placeOf(zone === 'brand' ? brand.timeZone : READERS_ZONE)}
    </time>
  );
  if (READERS_ZONE === brand.timeZone) return shown;
  const other = zone === 'brand' ? 'reader' : 'brand';
  return (
    <button type="button" className="zone" title={t(`zone.${other}`)} onClick={() => zoneChoice.write(other)}>
      {shown}
    </button>
  );
}

/** A page's header: title, tabs with counts, whether the figures are current, and the time in the chosen zone. */
export function Top({
  title,
  tabs = [],
  current,
  onTab,
  isStale = false,
  children,
}: {
  title: string;
  tabs?: readonly Tab[];
  current?: string;
  onTab?: (name: string) => void;
  isStale?: boolean;
  children?: ReactNode;
}) {
  const { t, language } = useTexts();
  const isLost = useIsLineLost();
  const theme = usePreferences((preferences) => preferences.theme);
  const logout = useAct(logoutOperator);
  return (
    <header className="top">
      <h1>{title}</h1>
      {tabs.length > 0 && (
        <div className="tabs" role="tablist" aria-label={title}>
          {tabs.map(({ name, label, count }) => (
            <button
              key={name}
              type="button"
              role="tab"
              aria-selected={name === current}
              className={name === current ? 'on' : ''}
              onClick={() => onTab?.(name)}
            >
              {label}
              {count !== undefined && <em>{count}</em>}
            </button>
          ))}
        </div>
      )}
      <div className="r">
        {children}
        <SavedViews title={title} tab={tabs.find(({ name }) => name === current)?.label} />
        <span className="pip" data-state={isStale || isLost ? 'warn' : undefined}>
          {t(isStale || isLost ? 'state.stale' : 'state.live')}
        </span>
        <Clock />
        <button
          type="button"
          className="language"
          onClick={async () => {
            const next = language === 'th' ? 'en' : 'th';
            await loadAllTexts(next);
            setPreferences({ language: next });
          }}
        >
          {language === 'th' ? 'English' : 'ไทย'}
        </button>
        <IconButton
          icon="moon"
          size={16}
          label={t('theme.switch')}
          onClick={() => setPreferences({ theme: themeOf(theme) === 'dark' ? 'light' : 'dark' })}
        />
        <IconButton
          icon="exit"
          size={16}
          label={t('sign_in.out')}
          onClick={() => {
            void logout.run({}).finally(() => leave());
          }}
        />
      </div>
    </header>
  );
}
