import { settled } from '@sathorn/app/late';
import { startApp } from '@sathorn/app/shell';
import { Frame } from './frame.tsx';
import { TABLE } from './paths.ts';
import { lazyScreen } from './screens.ts';

// The call is not awaited, because a top-level await would keep the bundler from merging small chunks.
void startApp({
  table: TABLE,
  lazyScreen,
  Frame,
  async companions() {
    await settled();
    return import('./companions.tsx');
  },
});
