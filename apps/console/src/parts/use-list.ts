import { copyText } from '@sathorn/app/shell';
import { useEffect } from 'react';
import { useKeys } from '../keys.ts';

/** A click on a row follows the row's link, unless it hit a control or the operator was selecting text. */
function openRow({ target }: MouseEvent): void {
  if (!(target instanceof Element) || target.closest('a, button, input, select, label')) return;
  const href = target.closest('tr')?.querySelector('a[href^="#/"]')?.getAttribute('href');
  if (href && getSelection()?.isCollapsed !== false) location.hash = href;
}

/** j and k move through a list, Enter opens a case, Escape closes it. The open case is part of the address. */
export function useList(
  ids: readonly string[],
  current: string | null,
  open: (id: string | null) => void,
  enter: (id: string) => void = () => {},
): void {
  const move = (step: number) => {
    const at = current === null ? -1 : ids.indexOf(current);
    const next = ids[Math.max(0, Math.min(ids.length - 1, at + step))];
    if (next !== undefined) open(next);
  };
  useKeys({
    j: () => move(1),
    k: () => move(current === null ? 1 : -1),
    enter: () => (current === null ? move(1) : enter(current)),
    escape: () => open(null),
    y: () => void copyText(location.href),
    '/': () => document.querySelector<HTMLInputElement>('[data-find]')?.focus(),
  });
  useEffect(() => {
    document.addEventListener('click', openRow);
    return () => document.removeEventListener('click', openRow);
  }, []);
  useEffect(() => {
    document.querySelector('[data-chosen]')?.scrollIntoView({ block: 'nearest' });
  });
}
