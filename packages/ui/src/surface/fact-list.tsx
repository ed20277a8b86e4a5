import type { ReactNode } from 'react';
import './fact-list.css';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** What is about to be done, line by line: its name at the start, its value at the end. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="ui-facts num">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
