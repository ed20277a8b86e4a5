import { startApp } from '@sathorn/app/shell';
import { Frame } from './frame.tsx';
import { TABLE } from './paths.ts';
import { lazyScreen } from './screens.ts';

await startApp({ table: TABLE, lazyScreen, Frame, companions: () => import('./companions.tsx') });
