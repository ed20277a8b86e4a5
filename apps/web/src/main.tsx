import { whenPageSettled } from '@sathorn/app/late';
import { startApp } from '@sathorn/app/shell';
import { Frame } from './frame.tsx';
import { SCREEN_TABLE } from './paths.ts';
import { lazyScreen } from './screens.ts';

// The call is not awaited, because a top-level await would keep the bundler from merging small chunks.
void startApp({
  table: SCREEN_TABLE,
  lazyScreen,
  Frame,
  async companions() {
    await whenPageSettled();
    return import('./companions.tsx');
  },
});
