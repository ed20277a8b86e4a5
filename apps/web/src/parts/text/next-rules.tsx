import type { NextRules as Next } from '@sathorn/api';
import { Icon } from '@sathorn/ui';
import { RichText } from './rich-text.tsx';
import './next-rules.css';

/** Announces rules that begin later, in the server's sentence. A press on it shows them. */
export function NextRules({ next }: { next: Next | null }) {
  if (next === null) return null;
  return (
    <details className="next-rules">
      <summary>
        <Icon name="calendar" size={18} />
        <span>{next.note}</span>
      </summary>
      <RichText text={next.content} />
    </details>
  );
}
