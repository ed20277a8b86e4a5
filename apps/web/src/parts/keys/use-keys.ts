import { DESK_MEDIA_QUERY } from '@sathorn/ui';
import { type RefObject, useEffect, useRef } from 'react';
import { create } from 'zustand';
import { type DeskKey, deskKeyOf } from './desk-key-of.ts';

type Acts = Partial<Record<DeskKey, (() => void) | undefined>>;

interface KeySettings {
  /** A customer may turn shortcuts off, because they disturb speech input and some screen readers. */
  readonly areOn: boolean;
}

const STORED_AS = 'keys';

function areKeptOn(): boolean {
  try {
    return localStorage.getItem(STORED_AS) !== 'off';
  } catch {
    return true;
  }
}

export const useKeySettings = create<KeySettings>(() => ({ areOn: areKeptOn() }));

export function switchKeys(areOn: boolean): void {
  useKeySettings.setState({ areOn });
  try {
    localStorage.setItem(STORED_AS, areOn ? 'on' : 'off');
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}

/** The key handlers of the shell and of the open page. The last one with a handler for the key runs. */
const owners: RefObject<Acts>[] = [];

/**
 * Sets shortcuts on a desktop. A key does nothing while a field has the focus or something covers the page.
 * `isFallback` is for the shell, because the page's own keys take precedence.
 */
export function useKeys(acts: Acts, isFallback = false): void {
  const current = useRef(acts);
  current.current = acts;
  useEffect(() => {
    if (owners.length === 0) document.addEventListener('keydown', onKeyDown);
    if (isFallback) owners.unshift(current);
    else owners.push(current);
    return () => {
      owners.splice(owners.indexOf(current), 1);
      if (owners.length === 0) document.removeEventListener('keydown', onKeyDown);
    };
  }, [isFallback]);
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!useKeySettings.getState().areOn || !matchMedia(DESK_MEDIA_QUERY).matches) return;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input, textarea, select, [contenteditable], [role=slider]')) return;
  if (document.querySelector('[role=dialog], [role=alertdialog]')) return;
  const key = deskKeyOf(event);
  const act = key && owners.findLast((owner) => owner.current[key])?.current[key];
  if (!act) return;
  event.preventDefault();
  act();
}
