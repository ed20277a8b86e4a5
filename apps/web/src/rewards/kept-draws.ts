/** This device's memory of its draws, so that the server cannot show a different draw afterwards. */
interface Kept {
  readonly draws: Readonly<Record<string, { readonly reservation: string; readonly clientSeed: string }>>;
  /** The hash of each box when this device first saw it. */
  readonly boxes: Readonly<Record<string, string>>;
}
const NAME = 'draws';
const KEPT_MAX = 100;

function read(): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) ?? 'null') as Partial<Kept> | null;
    return { draws: kept?.draws ?? {}, boxes: kept?.boxes ?? {} };
  } catch {
    return { draws: {}, boxes: {} };
  }
}

function write(kept: Kept): void {
  const newest = <Value>(all: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(all).slice(-KEPT_MAX));
  try {
    localStorage.setItem(NAME, JSON.stringify({ draws: newest(kept.draws), boxes: newest(kept.boxes) }));
  } catch {
    // If the storage is full or forbidden, only this comparison is lost.
  }
}

export const readKeptDraw = (id: string): Kept['draws'][string] | undefined => read().draws[id];
export const readKeptBoxHash = (id: string): string | undefined => read().boxes[id];

/** Generates this device's own seed for a draw, and stores it with the reservation that came before it. */
export function keepDraw(id: string, reservation: string): string {
  const kept = read();
  const known = kept.draws[id];
  if (known) return known.clientSeed;
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const clientSeed = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  write({ ...kept, draws: { ...kept.draws, [id]: { reservation, clientSeed } } });
  return clientSeed;
}

/** Keeps the first hash of each box. */
export function keepBoxHashes(
  boxes: readonly { readonly id: string; readonly signed: { readonly hash: string } }[],
): void {
  const kept = read();
  const fresh = boxes.filter(({ id }) => kept.boxes[id] === undefined);
  if (fresh.length === 0) return;
  write({ ...kept, boxes: { ...kept.boxes, ...Object.fromEntries(fresh.map(({ id, signed }) => [id, signed.hash])) } });
}
