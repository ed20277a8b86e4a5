import { Late, renderNothing } from '@sathorn/app/late';
import type { OfferNotesProps } from './offer-notes.tsx';

const load = () => import('./offer-notes.tsx');

/** Loads the notes after the page, because most of the time there are none. */
export function LateNotes(props: OfferNotesProps) {
  return (
    <Late load={load} failed={renderNothing}>
      {(OfferNotes) => <OfferNotes {...props} />}
    </Late>
  );
}
