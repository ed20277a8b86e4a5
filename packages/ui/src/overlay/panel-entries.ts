/* The browser's Back first closes panels that cover the page and then leaves the page. So every open panel has its
   own history entry with the page's address and, in its state, the number of panels open there. Whenever that number
   differs from the panels that are open, for example after a reload or a forward move, the history is corrected at
   once. */

interface Panel {
  /** Returns false if the panel stays open because a request is in flight. */
  close: () => boolean;
}

/** Oldest first. */
const panels: Panel[] = [];

interface EntryState {
  /** The number of panels open on the page at this entry. */
  readonly panels?: number;
  /** Hashes of the pages below this page in the history, oldest first, as far as this app has written them. */
  readonly trail?: readonly string[];
}

const TRAIL_LENGTH = 10;

const stateHere = (): EntryState => (history.state as EntryState | null) ?? {};
const entriesHere = (): number => Number(stateHere().panels ?? 0);
const trailHere = (): readonly string[] => {
  const { trail } = stateHere();
  return Array.isArray(trail) ? trail.filter((hash): hash is string => typeof hash === 'string') : [];
};
const stateWith = (panels: number, trail: readonly string[]): EntryState | null =>
  panels === 0 && trail.length === 0
    ? null
    : { ...(panels === 0 ? {} : { panels }), ...(trail.length === 0 ? {} : { trail }) };

/**
 * Callbacks for when the browser has gone back, which happens asynchronously; undefined when no step back is pending.
 */
let onArrival: (() => void)[] | undefined;
let arrivalTimer: ReturnType<typeof setTimeout>;
/** A step back that the browser drops must not block the next one for ever. */
const ARRIVES_WITHIN_MS = 1_000;
/** The page on which the pending step back ends, where that is certain. */
let arrivesAt: string | undefined;
/** The address typed during a step back, which the browser would discard. It is opened afterwards. */
let typed: string | undefined;

function goBack(entries: number, at: string | undefined, then: () => void): void {
  onArrival = [then];
  arrivesAt = at;
  arrivalTimer = setTimeout(arrive, ARRIVES_WITHIN_MS);
  history.go(-entries);
}

function arrive(): void {
  clearTimeout(arrivalTimer);
  const waiting = onArrival ?? [];
  onArrival = undefined;
  for (const act of waiting) act();
  if (typed === undefined) return;
  const address = typed;
  typed = undefined;
  location.hash = address;
}

let settling: ReturnType<typeof setTimeout>;

/** Runs after all panels of this turn have opened and closed. */
function settleSoon(): void {
  clearTimeout(settling);
  settling = setTimeout(() => {
    if (onArrival) return;
    const surplus = entriesHere() - panels.length;
    if (surplus > 0) goBack(surplus, location.hash, settleSoon);
    for (let missing = -surplus; missing > 0; missing -= 1)
      history.pushState(stateWith(entriesHere() + 1, trailHere()), '');
  });
}

function followBrowser(): void {
  if (onArrival) {
    if (arrivesAt === undefined || location.hash === arrivesAt) arrive();
    else typed = location.hash;
    return;
  }
  for (const panel of panels.slice(entriesHere()).toReversed()) if (!panel.close()) break;
  settleSoon();
}

if (typeof window !== 'undefined') {
  addEventListener('popstate', followBrowser);
  settleSoon();
}

/** Adds a history entry for a panel that opens; returns a function that removes it. */
export function addPanelEntry(panel: Panel): () => void {
  panels.push(panel);
  settleSoon();
  return () => {
    panels.splice(panels.indexOf(panel), 1);
    settleSoon();
  };
}

/**
 * Writes a page's hash into the history: in place of the page's own entry, or on top of it. A page that is opened from
 * a panel takes over the panel's entry, so that Back does not step through it.
 */
export function writeHash(hash: string, replaces: boolean, onWritten: () => void): void {
  if (onArrival) {
    onArrival.push(() => writeHash(hash, replaces, onWritten));
    return;
  }
  const onPanel = !replaces && entriesHere() > 0;
  const write = () => {
    const trail = trailHere();
    // The page below the new one; a panel's entry has its page's hash.
    const above = [...trail, location.hash].slice(-TRAIL_LENGTH);
    if (replaces) history.replaceState(stateWith(0, trail), '', hash);
    else if (onPanel) history.replaceState(stateWith(0, above), '', hash);
    else history.pushState(stateWith(0, above), '', hash);
    onWritten();
    settleSoon();
  };
  const above = entriesHere() - (onPanel ? 1 : 0);
  if (above > 0) goBack(above, location.hash, write);
  else write();
}

/**
 * Shows the page to which a step back leads. If the history has that page below this one, the history goes back too;
 * otherwise the phone's own Back would lead to the page just left. If the history lacks it, the page replaces this one.
 */
export function returnToHash(hash: string, onWritten: () => void): void {
  if (onArrival) {
    onArrival.push(() => returnToHash(hash, onWritten));
    return;
  }
  const trail = trailHere();
  const place = trail.lastIndexOf(hash);
  if (place < 0) {
    writeHash(hash, true, onWritten);
    return;
  }
  goBack(entriesHere() + trail.length - place, undefined, () => {
    // A reload or a forward move may have made the trail wrong.
    if (location.hash === hash) onWritten();
    else writeHash(hash, true, onWritten);
    settleSoon();
  });
}
