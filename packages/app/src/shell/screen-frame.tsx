import { formatDate } from '@sathorn/text';
import {
  type BarTab,
  DESK_MEDIA_QUERY,
  EmptyState,
  ErrorState,
  SkeletonRows,
  TabBar,
  useMediaQuery,
  useText,
} from '@sathorn/ui';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { lastHeardMs } from '../client/last-heard.ts';
import { queryClient } from '../client/query-client.ts';
import { retryFailedReads } from '../client/retry-failed-reads.ts';
import { ErrorBoundary } from '../late/error-boundary.tsx';
import { type LoadScreen, useLazyScreen } from '../late/lazy-screen.ts';
import { reloadNewest } from '../late/reload-newest.ts';
import { useReloadOnReturn } from '../late/reload-on-return.ts';
import { whenPageSettled } from '../late/when-page-settled.ts';
import { useNavigation } from '../navigation/navigation.tsx';
import type { Screen } from '../navigation/screen-table.ts';
import { useSession } from '../session/session.ts';
import { onStreamReturn, stream, useIsOnline } from '../stream/live.ts';
import { wantWholeCatalogue } from '../texts/catalogue.ts';
import { PageBar, useDocumentTitle } from './page-bar.tsx';
import { scrollToPlace } from './scroll-to-place.ts';
import './screen-frame.css';

interface ScreenFrameProps {
  hasAllTexts: boolean;
  lazyScreen: (path: string) => LoadScreen;
  /** Shown above every screen. */
  banner?: ReactNode;
  /** The labels and icons of the table's tabs. */
  tabs: readonly BarTab[];
}

/**
 * The frame of every screen: the app's banner, the bar from the screen table, the screen's code while it loads, the
 * tabs.
 */
export function ScreenFrame({ hasAllTexts, lazyScreen, banner, tabs }: ScreenFrameProps) {
  const { address, switchTab, table } = useNavigation();
  const { t, presentation } = useText();
  const screen = table.screenOf(address);
  const isOnline = useIsOnline();
  const isDesk = useMediaQuery(DESK_MEDIA_QUERY);
  const heardAt = Math.max(lastHeardMs(), stream.lastMessageAt);
  useEffect(() => onStreamReturn(() => void retryFailedReads(queryClient)), []);
  const isHome = screen?.path === table.home;
  // Home needs only the first texts; the others would delay its first paint.
  useEffect(() => {
    if (isHome) void whenPageSettled().then(wantWholeCatalogue);
    else wantWholeCatalogue();
  }, [isHome]);

  return (
    <div className="shell" data-offline={isOnline ? undefined : ''}>
      {banner}
      {screen ? (
        hasAllTexts || isHome ? (
          <OpenScreen key={screen.path} screen={screen} load={lazyScreen(screen.path)} />
        ) : (
          <main className="shell-main" />
        )
      ) : (
        <Unknown />
      )}
      {/* The strip lies over the lower edge, so that the page does not move. */}
      {!isOnline && (
        <div className="shell-offline" role="status" data-bar={screen?.bar}>
          {heardAt === 0
            ? t('shell.offline')
            : t('shell.offline_since', { time: formatDate(heardAt, 'dayTime', presentation) })}
        </div>
      )}
      {(isDesk || screen?.bar === 'tab') && (
        <TabBar label={t('shell.tabs')} current={screen?.path ?? ''} onSwitch={switchTab} tabs={tabs} />
      )}
    </div>
  );
}

function OpenScreen({ screen, load }: { screen: Screen; load: LoadScreen }) {
  const { t } = useText();
  const { redirect, address, place } = useNavigation();
  const token = useSession((session) => session.token);
  const main = useRef<HTMLElement>(null);
  const isBarred = screen.access === 'customer' && token === null;
  const endedBy = useSession((session) => session.endedBy);

  // Runs before the page's own bar, which may set a better title.
  useLayoutEffect(() => {
    document.title = t(screen.title);
  }, [screen, t]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once when it opens; a change of its query moves nothing.
  useLayoutEffect(() => scrollToPlace(place), []);
  useEffect(() => {
    // Screen readers announce the new page, and the keyboard focus starts there.
    main.current?.focus({ preventScroll: true });
  }, []);
  // The visitor typed the address without a session. If the server has just ended one, its sentence is shown first.
  useEffect(() => {
    if (isBarred && endedBy === null) redirect(address);
  }, [isBarred, endedBy, redirect, address]);

  return (
    <>
      {screen.bar === 'title' && <PageBar title={t(screen.title)} />}
      <main ref={main} tabIndex={-1} className="shell-main" data-bar={screen.bar}>
        <ErrorBoundary key={screen.path} instead={<Broken screen={screen} />}>
          {isBarred ? null : <ScreenContent screen={screen} load={load} />}
        </ErrorBoundary>
      </main>
    </>
  );
}

function ScreenContent({ screen, load }: { screen: Screen; load: LoadScreen }) {
  const { t } = useText();
  const { phase, Component: Content } = useLazyScreen(load);
  useReloadOnReturn(phase === 'failed' || phase === 'timed_out');
  const retry = { label: t('shell.try_again'), onPress: () => void reloadNewest() };
  if (Content) return <Content />;
  if (phase === 'waiting') return null;
  return (
    <>
      <BarInPlace screen={screen} />
      {phase === 'failed' && <ErrorState title={t('chunk.failed')} action={retry} />}
      {phase === 'timed_out' && <ErrorState icon="clock" title={t('chunk.timed_out')} action={retry} />}
      {phase === 'loading' && (
        <div className="shell-loading">
          <SkeletonRows rows={6} label={t('shell.loading')} />
        </div>
      )}
    </>
  );
}

/** The standard bar for a page whose own bar cannot be shown yet, so that the visitor can always go back. */
function BarInPlace({ screen }: { screen: Screen }) {
  const { t } = useText();
  return screen.bar === 'own' && <PageBar title={t(screen.title)} />;
}

function Unknown() {
  const { t } = useText();
  const { relaunch, table } = useNavigation();
  useDocumentTitle(t('shell.page_unknown'));
  return (
    <main className="shell-main">
      <EmptyState
        picture="search"
        title={t('shell.page_unknown')}
        action={{ label: t('shell.go_home'), onPress: () => relaunch(table.home) }}
      />
    </main>
  );
}

function Broken({ screen }: { screen: Screen }) {
  const { t } = useText();
  // The usual cause is code that could not be loaded.
  useReloadOnReturn(true);
  return (
    <>
      <BarInPlace screen={screen} />
      <ErrorState
        title={t('shell.broken')}
        action={{ label: t('shell.try_again'), onPress: () => void reloadNewest() }}
      />
    </>
  );
}
