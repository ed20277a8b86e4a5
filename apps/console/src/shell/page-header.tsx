import { logoutOperator } from '@sathorn/api';
import { setPreferences, themeOf, usePreferences } from '@sathorn/app/preferences';
import { IconButton } from '@sathorn/ui';
import { type ReactNode, useEffect, useState } from 'react';
import { brand } from '#brand';
import { endConsoleSession } from '../operator.ts';
import { useTexts } from '../parts/texts/index.ts';
import { placeOfTimeZone, READER_TIME_ZONE, timeZoneChoice } from '../parts/texts/time-zone.ts';
import { loadAllTexts } from '../parts/texts/use-own-texts.ts';
import { useIsDeskLineLost } from '../parts/use-live-read.ts';
import { useAct } from '../use-act.ts';
import { SavedViews } from './saved-views.tsx';

export interface HeaderTab {
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
  const zone = timeZoneChoice.use();
  const shown = (
    <time className="num" dateTime={now.toISOString()}>
      {time(now.toISOString())} {placeOfTimeZone(zone === 'brand' ? brand.timeZone : READER_TIME_ZONE)}
    </time>
  );
  if (READER_TIME_ZONE === brand.timeZone) return shown;
  const other = zone === 'brand' ? 'reader' : 'brand';
  return (
    <button type="button" className="zone" title={t(`zone.${other}`)} onClick={() => timeZoneChoice.write(other)}>
      {shown}
    </button>
  );
}

/** A page's header: title, tabs with counts, whether the figures are current, and the time in the chosen zone. */
export function PageHeader({
  title,
  tabs = [],
  current,
  onTab,
  isStale = false,
  children,
}: {
  title: string;
  tabs?: readonly HeaderTab[];
  current?: string;
  onTab?: (name: string) => void;
  isStale?: boolean;
  children?: ReactNode;
}) {
  const { t, language } = useTexts();
  const isLost = useIsDeskLineLost();
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
            void logout.run({}).finally(() => endConsoleSession());
          }}
        />
      </div>
    </header>
  );
}
