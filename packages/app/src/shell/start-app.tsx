import { TextsProvider } from '@sathorn/ui';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../client/query-client.ts';
import { Late, type LoadPart, renderNothing } from '../late/late.tsx';
import type { LoadScreen } from '../late/lazy-screen.ts';
import { NavigationProvider } from '../navigation/navigation.tsx';
import type { ScreenTable } from '../navigation/screen-table.ts';
import { ASSET_STYLE } from '../practice.ts';
import { followPreferences, usePreferences } from '../preferences/preferences.ts';
import { type LoadedCatalogue, loadFirstCatalogue, useCatalogue } from '../texts/catalogue.ts';
import { ScreenFrame } from './screen-frame.tsx';
import { SessionWatch } from './session-watch.tsx';
import '@sathorn/ui/style/reset.css';
import '@sathorn/ui/style/tokens.css';
import 'virtual:brand-tokens.css';
import '@sathorn/ui/style/base.css';

export interface FrameProps {
  /** True when the texts of all pages are loaded, not only those of the shell and the home page. */
  hasAllTexts: boolean;
  /** The code of a screen by its path in the table. */
  lazyScreen: (path: string) => LoadScreen;
}

/** The parts that each app provides. */
interface AppParts {
  table: ScreenTable;
  lazyScreen: FrameProps['lazyScreen'];
  /** Surrounds every screen; by default a frame without tabs. */
  Frame?: ComponentType<FrameProps>;
  /** Loaded after the page, so that the first paint does not wait for it. */
  companions?: LoadPart;
}

/** Renders the app as soon as its first screen's texts are loaded. */
export async function startApp(parts: AppParts): Promise<void> {
  followPreferences();
  const root = document.getElementById('app');
  if (!root) throw new Error('the page has no place for the app');
  const first = await loadFirstCatalogue(usePreferences.getState().language);
  createRoot(root).render(<App first={first} {...parts} />);
}

const PlainFrame = (props: FrameProps) => <ScreenFrame {...props} tabs={[]} />;

function App({ first, table, lazyScreen, Frame = PlainFrame, companions }: AppParts & { first: LoadedCatalogue }) {
  const { language, catalogue, isWhole } = useCatalogue(first);
  const digits = usePreferences((preferences) => preferences.digits);
  const calendar = usePreferences((preferences) => preferences.calendar);
  return (
    <QueryClientProvider client={queryClient}>
      <TextsProvider catalogue={catalogue} presentation={{ language, digits, calendar, ...ASSET_STYLE }}>
        <NavigationProvider table={table}>
          <Frame hasAllTexts={isWhole} lazyScreen={lazyScreen} />
          {companions && <Late load={companions} failed={renderNothing} />}
          <SessionWatch />
        </NavigationProvider>
      </TextsProvider>
    </QueryClientProvider>
  );
}
