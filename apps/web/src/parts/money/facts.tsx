import type { ReactNode } from 'react';
import { CopyMark } from './copy.tsx';
import './facts.css';

export interface MoneyFact {
  readonly name: ReactNode;
  /** Under the name, small. */
  readonly about?: ReactNode;
  readonly value: ReactNode;
  /** Under the value, small. */
  readonly note?: ReactNode;
  /** What the mark beside the value copies, and what it says of itself. */
  readonly copy?: { readonly text: string; readonly label: string };
  readonly key: string;
}

/** Facts line by line on paper: the name at the start, the value at the end. */
export function MoneyFacts({ facts }: { facts: readonly (MoneyFact | null)[] }) {
  return (
    <dl className="money-facts num">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact.key}>
              <dt>
                {fact.name}
                {fact.about !== undefined && <span className="cap">{fact.about}</span>}
              </dt>
              <dd>
                <bdi>{fact.value}</bdi>
                {fact.copy && <CopyMark {...fact.copy} />}
                {fact.note !== undefined && fact.note !== null && <span className="cap">{fact.note}</span>}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
