import { type ResultOf, readSecondFactor } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useText } from '@sathorn/ui';
import type { ReactNode } from 'react';
import { PageNotLoaded } from '../parts/read/not-loaded.tsx';

export type AccountGuards = ResultOf<typeof readSecondFactor>;

/** Renders its content once the account's protections are loaded. */
export function GuardsGate({ children }: { children: (guards: AccountGuards) => ReactNode }) {
  const texts = useText();
  const { data, error, refetch } = useRead(readSecondFactor, {}, { freshForMs: 0 });
  if (data) return children(data);
  return <PageNotLoaded read={{ error, refetch }} failed={texts.t('mine.failed')} rows={7} />;
}
