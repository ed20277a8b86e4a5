import { TextsProvider } from '@sathorn/ui';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy } from 'react';
import { queryClient } from './client/query-client.ts';
import { type LoadedCatalogue, useCatalogue } from './language/catalogue.ts';
import { NavigationProvider } from './navigation/navigation.tsx';
import { Extra } from './parts/late/extra.tsx';
import { usePreferences } from './preferences/preferences.ts';
import { codeOf } from './screens.ts';
import { ScreenFrame } from './shell/screen-frame.tsx';
import { SessionWatch } from './shell/session-watch.tsx';

const Companions = lazy(() => import('./companions.tsx'));

export function App({ first }: { first: LoadedCatalogue }) {
  const { language, catalogue, isWhole } = useCatalogue(first);
  const digits = usePreferences((preferences) => preferences.digits);
  const calendar = usePreferences((preferences) => preferences.calendar);
  return (
    <QueryClientProvider client={queryClient}>
      <TextsProvider catalogue={catalogue} presentation={{ language, digits, calendar }}>
        <NavigationProvider>
          <ScreenFrame hasAllTexts={isWhole} codeOf={codeOf} />
          <Extra>
            <Companions />
          </Extra>
          <SessionWatch />
        </NavigationProvider>
      </TextsProvider>
    </QueryClientProvider>
  );
}
