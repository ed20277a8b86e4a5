import type { ReactNode } from 'react';
import { CopyMark } from './copy.tsx';
import './facts.css';

export interface MoneyFact {
  readonly name: ReactNode;
  /** Small text below the name. */
  readonly about?: ReactNode;
  readonly value: ReactNode;
  /** Small text below the value. */
  readonly note?: ReactNode;
  /** The text that the button beside the value copies, and the button's label. */
  readonly copy?: { readonly text: string; readonly label: string };
  readonly key: string;
}

/** A list of facts: the name at the start of each line, the value at the end. */
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
