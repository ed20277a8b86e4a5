import type { ReactNode } from 'react';
import './fact-list.css';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** Lists an action's facts: the name at the start of each line, the value at the end. */
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
