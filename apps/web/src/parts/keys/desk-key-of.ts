const KEYS = ['u', 'd', 'b', 's', '/', '?'] as const;
export type DeskKey = (typeof KEYS)[number];

const PLACES: Readonly<Record<string, DeskKey>> = { KeyU: 'u', KeyD: 'd', KeyB: 'b', KeyS: 's', Slash: '/' };

/**
 * Returns the shortcut of a key press; undefined for none. On a keyboard of another script, such as Thai, the key at
 * the place of the Latin one counts.
 */
export function deskKeyOf({
  key,
  code,
  shiftKey,
}: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): DeskKey | undefined {
  const plain = key.toLowerCase();
  const named = KEYS.find((each) => each === plain);
  if (named !== undefined || /^[\u0020-\u007e]$/.test(key) || key.length > 1) return named;
  const placed = PLACES[code];
  return placed === '/' && shiftKey ? '?' : placed;
}
