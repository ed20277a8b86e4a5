import './style.ts';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { loadFirst } from './language/catalogue.ts';
import { followPreferences, usePreferences } from './preferences/preferences.ts';

followPreferences();

const root = document.getElementById('app');
if (!root) throw new Error('the page has no place for the app');
const first = await loadFirst(usePreferences.getState().language);
createRoot(root).render(<App first={first} />);
