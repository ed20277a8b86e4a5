import type { ReactNode } from 'react';
import { IconButton } from '../button.tsx';
import './nav-bar.css';

interface NavBarProps {
  title: ReactNode;
  backLabel?: string;
  onBack?: (() => void) | undefined;
  trail?: ReactNode;
}

/** The bar at the top of a page that is not a tab. */
export function NavBar({ title, backLabel = '', onBack, trail }: NavBarProps) {
  return (
    <header className="ui-nav">
      <div className="ui-nav-side">{onBack && <IconButton icon="back" label={backLabel} flip onClick={onBack} />}</div>
      <h1 className="ui-nav-title">{title}</h1>
      <div className="ui-nav-side">{trail}</div>
    </header>
  );
}

/** A text link at the end of the bar. */
export function NavLink({ children, onPress }: { children: ReactNode; onPress: () => void }) {
  return (
    <button type="button" className="ui-nav-link" onClick={onPress}>
      {children}
    </button>
  );
}
