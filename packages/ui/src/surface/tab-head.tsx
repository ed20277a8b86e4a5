import type { ReactNode } from 'react';
import './tab-head.css';

/** The head of a tab's page that has no hero: its title, and something at the end. */
export function TabHead({ title, trail }: { title: string; trail?: ReactNode }) {
  return (
    <header className="ui-tab-head">
      <h1>{title}</h1>
      {trail}
    </header>
  );
}
