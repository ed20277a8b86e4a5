import { interceptNavigation } from '@sathorn/app/navigation';
import './motion.css';

const pathOf = (address: string): string => address.replace(/^#/, '').split('?')[0] ?? '';

function mark(way: 'on' | 'back' | 'beside'): void {
  document.documentElement.dataset.way = way;
}

/** Marks the direction of each move for the page's animation: on to a page, back to one, or beside it to a tab. */
export function followMoveDirection(): void {
  let path = pathOf(location.hash);
  interceptNavigation(({ kind, to, from }) => {
    // A page that only changes its query stays where it is.
    if (kind === 'back') mark('back');
    else if (pathOf(to) !== pathOf(from)) mark(kind === 'navigate' ? 'on' : 'beside');
    // The move may lead elsewhere, such as to sign-in.
    queueMicrotask(() => {
      path = pathOf(location.hash);
    });
    return undefined;
  });
  // Handles the browser's own buttons, which also close sheets over a page that stays.
  addEventListener('popstate', () => {
    const before = path;
    path = pathOf(location.hash);
    if (path !== before) mark('back');
  });
}
