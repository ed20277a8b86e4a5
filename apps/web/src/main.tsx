import { startApp } from '@sathorn/app/shell';
import { lazy } from 'react';
import { Frame } from './frame.tsx';
import { TABLE } from './paths.ts';
import { codeOf } from './screens.ts';

await startApp({ table: TABLE, codeOf, Frame, Companions: lazy(() => import('./companions.tsx')) });
