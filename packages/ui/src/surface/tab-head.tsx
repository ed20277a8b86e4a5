import type { ReactNode } from 'react';
import './tab-head.css';

/** The header of a tab's page without a hero: its title and an optional element at the end. */
export function TabHead({ title, trail }: { title: string; trail?: ReactNode }) {
  return (
    <header className="ui-tab-head">
      <h1>{title}</h1>
      {trail}
    </header>
  );
}
