import { useEffect, useRef } from 'react';
import { openStoredChoice } from './stored-choice.ts';

type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => void>>;

interface Layer {
  readonly keys: { current: KeyMap };
  /** A modal layer: keys do not reach the layers below it. */
  readonly isModal: boolean;
}

const layers: Layer[] = [];
let pending: string | null = null;
let pendingUntil = 0;
const SEQUENCE_MS = 1_200;

/** True if the operator's letter shortcuts are on. Without these, only Ctrl K and Escape work. */
export const letterKeysChoice = openStoredChoice('keys', true, (stored) => stored !== 'off' && stored !== false);

/** Returns the key's letter on a Latin keyboard, whatever the layout: the Thai ท is on the K key. */
export function latinKeyOf(event: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  const isLatin = /^[\x20-\x7e]$/.test(event.key) || event.key.length > 1;
  if (isLatin) return event.key;
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase();
  const digit = /^Digit([0-9])$/.exec(event.code)?.[1];
  if (letter !== undefined) return event.shiftKey ? letter.toUpperCase() : letter;
  return digit ?? ({ Slash: '/', Period: '.' } as Record<string, string>)[event.code] ?? event.key;
}

/** Returns the key with its modifiers, such as `j`, `shift+t` or `escape`. */
function nameOf(key: string): string {
  if (key.length > 1) return key.toLowerCase();
  return /^[A-Z]$/.test(key) ? `shift+${key.toLowerCase()}` : key;
}

/** Enter activates the focused element. The list's own shortcut for Enter must not prevent that. */
const isPressing = (key: string, target: EventTarget | null): boolean =>
  key === 'Enter' && target instanceof HTMLElement && target.closest('a, button, summary') !== null;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]') !== null;

function onKey(event: KeyboardEvent): void {
  if (event.isComposing || event.defaultPrevented || event.altKey) return;
  const isCommand = event.ctrlKey || event.metaKey;
  const key = latinKeyOf(event);
  const name = isCommand ? `mod+${key.toLowerCase()}` : nameOf(key);
  if (
    !isCommand &&
    key !== 'Escape' &&
    (isTyping(event.target) || isPressing(key, event.target) || !letterKeysChoice.read())
  )
    return;
  const sequence = pending !== null && performance.now() < pendingUntil ? `${pending} ${name}` : null;
  pending = null;
  for (const { keys, isModal } of layers.toReversed()) {
    const act = (sequence === null ? undefined : keys.current[sequence]) ?? keys.current[name];
    if (act) {
      event.preventDefault();
      act(event);
      return;
    }
    if (isModal) return;
  }
  if (name === 'g') {
    pending = 'g';
    pendingUntil = performance.now() + SEQUENCE_MS;
  }
}
if (typeof window !== 'undefined') addEventListener('keydown', onKey);

/**
 * Binds keys to this layer; the topmost layer that binds a key handles it. Keys do nothing in text fields and during
 * IME input.
 */
export function useKeys(keys: KeyMap, isModal = false): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const layer: Layer = { keys: current, isModal };
    layers.push(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, [isModal]);
}
