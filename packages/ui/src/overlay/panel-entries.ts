/*
 * The browser's own way back closes what lies on the page before it leaves the page. For that, every open panel has an
 * entry of its own in the history, with the page's address and, in its state, how many panels lie on the page there.
 * Whenever that is not how many are open, the history is brought into line: so what a reload, or the way forward, leads
 * to is left at once.
 */

interface Panel {
  /** False when it stays because a request is in flight. */
  close: () => boolean;
}

/** Oldest first. */
const panels: Panel[] = [];

interface EntryState {
  /** Panels that lie on the page here. */
  readonly panels?: number;
  /** Hashes of the pages whose entries lie under this page's own, oldest first, as far as this app has written them. */
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
 * Callbacks for when the browser has gone back, which happens asynchronously; undefined while no step back is pending.
 */
let onArrival: (() => void)[] | undefined;
let arrivalTimer: ReturnType<typeof setTimeout>;
/** A step back that the browser drops must not block the next one for ever. */
const ARRIVES_WITHIN_MS = 1_000;

function goBack(entries: number, then: () => void): void {
  onArrival = [then];
  arrivalTimer = setTimeout(arrive, ARRIVES_WITHIN_MS);
  history.go(-entries);
}

function arrive(): void {
  clearTimeout(arrivalTimer);
  const waiting = onArrival ?? [];
  onArrival = undefined;
  for (const act of waiting) act();
}

let settling: ReturnType<typeof setTimeout>;

/** Runs after all panels of this turn have opened and closed. */
function settleSoon(): void {
  clearTimeout(settling);
  settling = setTimeout(() => {
    if (onArrival) return;
    const surplus = entriesHere() - panels.length;
    if (surplus > 0) goBack(surplus, settleSoon);
    for (let missing = -surplus; missing > 0; missing -= 1)
      history.pushState(stateWith(entriesHere() + 1, trailHere()), '');
  });
}

function followBrowser(): void {
  if (onArrival) {
    arrive();
    return;
  }
  for (const panel of panels.slice(entriesHere()).toReversed()) if (!panel.close()) break;
  settleSoon();
}

if (typeof window !== 'undefined') {
  addEventListener('popstate', followBrowser);
  settleSoon();
}

/** Adds the history entry of a panel that opens; returns a function that removes it. */
export function addPanel(panel: Panel): () => void {
  panels.push(panel);
  settleSoon();
  return () => {
    panels.splice(panels.indexOf(panel), 1);
    settleSoon();
  };
}

/**
 * Puts a page's hash into the history where it belongs: in place of the page's own entry, or on top of it. What is
 * opened from a panel takes that panel's entry, so that nothing of the panel is left to step over.
 */
export function writeHash(hash: string, replaces: boolean, onWritten: () => void): void {
  if (onArrival) {
    onArrival.push(() => writeHash(hash, replaces, onWritten));
    return;
  }
  const onPanel = !replaces && entriesHere() > 0;
  const write = () => {
    const trail = trailHere();
    // The page under the new one; a panel's entry has the hash of its page.
    const above = [...trail, location.hash].slice(-TRAIL_LENGTH);
    if (replaces) history.replaceState(stateWith(0, trail), '', hash);
    else if (onPanel) history.replaceState(stateWith(0, above), '', hash);
    else history.pushState(stateWith(0, above), '', hash);
    onWritten();
    settleSoon();
  };
  const above = entriesHere() - (onPanel ? 1 : 0);
  if (above > 0) goBack(above, write);
  else write();
}

/**
 * Shows the page that a step back leads to. Where the history has that page under this one, the history goes back too:
 * else the phone's own Back would lead to the page that was just left. Where it has not, the page takes the place of
 * this one.
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
  goBack(entriesHere() + trail.length - place, () => {
    // A reload or a forward move may have made the trail wrong.
    if (location.hash === hash) onWritten();
    else writeHash(hash, true, onWritten);
    settleSoon();
  });
}
