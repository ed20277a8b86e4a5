import type { User } from '@sathorn/api';
import { Late, renderNothing } from '@sathorn/app/late';

const load = () => import('./running-now.tsx');

/** What runs at this moment, in its own chunk. The page works without it. */
export const LateRunning = ({ user }: { user?: User }) => (
  <Late load={load} failed={renderNothing}>
    {(RunningNow) => <RunningNow {...(user && { user })} />}
  </Late>
);
