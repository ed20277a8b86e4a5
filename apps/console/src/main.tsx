import { queryClient } from '@sathorn/app/client';
import { applyPreferences, followPreferences, usePreferences } from '@sathorn/app/preferences';
import { followCopies } from '@sathorn/app/shell';
import { loadFirstCatalogue, useCatalogue } from '@sathorn/app/texts';
import { TextsProvider } from '@sathorn/ui';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { loadTexts } from './parts/texts/index.ts';
import { PAGES } from './screens.ts';
import { Console } from './shell/console.tsx';
import '@sathorn/ui/style/reset.css';
import '@sathorn/ui/style/tokens.css';
import '@sathorn/ui/style/base.css';
import './style/index.css';

followCopies();
followPreferences();
applyPreferences(usePreferences.getState());
// If the Thai sentences cannot be loaded, the console speaks English.
const loadChosen = (language: string): Promise<void> => loadTexts(language).catch(() => {});
usePreferences.subscribe(({ language }) => void loadChosen(language));
const { language } = usePreferences.getState();
const [first] = await Promise.all([loadFirstCatalogue(language), loadChosen(language)]);

function App() {
  const { language, catalogue } = useCatalogue(first);
  return (
    <QueryClientProvider client={queryClient}>
      <TextsProvider catalogue={catalogue} presentation={{ language, digits: 'latin', calendar: 'gregorian' }}>
        <Console pages={PAGES} />
      </TextsProvider>
    </QueryClientProvider>
  );
}

const root = document.getElementById('app');
if (!root) throw new Error('the page has no place for the console');
createRoot(root).render(<App />);
