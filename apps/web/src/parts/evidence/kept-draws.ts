import type { SignedText } from '@sathorn/proof';

/** This device's memory of its draws, so that the server cannot show a different draw afterwards. */
interface KeptDrawHere {
  /** The body of the reservation. */
  readonly reservation: string;
  readonly clientSeed: string;
  /** The signed reservation; absent from memories of older versions. */
  readonly text?: SignedText;
}
interface KeptDraws {
  readonly draws: Readonly<Record<string, KeptDrawHere>>;
  /** The hash of each box when this device first saw it. */
  readonly boxes: Readonly<Record<string, string>>;
  /** The signed boxes with these hashes, as far as this device has kept them. */
  readonly boxTexts: Readonly<Record<string, SignedText>>;
}
const NAME = 'draws';
const KEPT_MAX = 100;

function read(): KeptDraws {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) ?? 'null') as Partial<KeptDraws> | null;
    return { draws: kept?.draws ?? {}, boxes: kept?.boxes ?? {}, boxTexts: kept?.boxTexts ?? {} };
  } catch {
    return { draws: {}, boxes: {}, boxTexts: {} };
  }
}

function write(kept: KeptDraws): void {
  const newest = <Value>(all: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(all).slice(-KEPT_MAX));
  try {
    const { draws, boxes, boxTexts } = kept;
    localStorage.setItem(
      NAME,
      JSON.stringify({ draws: newest(draws), boxes: newest(boxes), boxTexts: newest(boxTexts) }),
    );
  } catch {
    // If the storage is full or forbidden, only this comparison is lost.
  }
}

export const readKeptDraw = (id: string): KeptDrawHere | undefined => read().draws[id];
export const readKeptBoxHash = (id: string): string | undefined => read().boxes[id];
/** The whole memory, for the evidence file. */
export const readKeptDraws = read;

/** Generates this device's own seed for a draw, and stores it with the reservation that came before it. */
export function keepDraw(id: string, reservation: SignedText): string {
  const kept = read();
  const known = kept.draws[id];
  if (known) return known.clientSeed;
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const clientSeed = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const draw = { reservation: reservation.body, clientSeed, text: reservation };
  write({ ...kept, draws: { ...kept.draws, [id]: draw } });
  return clientSeed;
}

/** Keeps each box as this device first saw it. */
export function keepBoxes(boxes: readonly { readonly id: string; readonly signed: SignedText }[]): void {
  const kept = read();
  const unknown = boxes.filter(({ id }) => kept.boxes[id] === undefined);
  // An older version kept only the hash, so the text may come later.
  const untold = boxes.filter(
    ({ id, signed }) => kept.boxTexts[id] === undefined && (kept.boxes[id] ?? signed.hash) === signed.hash,
  );
  if (unknown.length === 0 && untold.length === 0) return;
  const hashes = unknown.map(({ id, signed }) => [id, signed.hash]);
  const texts = untold.map(({ id, signed }) => [id, signed]);
  write({
    ...kept,
    boxes: { ...kept.boxes, ...Object.fromEntries(hashes) },
    boxTexts: { ...kept.boxTexts, ...Object.fromEntries(texts) },
  });
}
