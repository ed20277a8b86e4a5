import type { AcknowledgedThing } from '@sathorn/api';
import { Late, renderNothing } from '@sathorn/app/late';

const loadLine = () => import('./kept-line.tsx');

/** A line where this device has kept what the platform signed about a thing. */
export function LateKeptLine({ about, id }: Pick<AcknowledgedThing, 'about' | 'id'>) {
  return (
    <Late load={loadLine} failed={renderNothing}>
      {(KeptLine) => <KeptLine key={id} about={about} id={id} />}
    </Late>
  );
}
