import { type ResultOf, readCertification } from '@sathorn/api';
import { readQueryKey, useRead } from '@sathorn/app/client';
import { useQueryClient } from '@tanstack/react-query';
import { useAccount } from '../parts/account/use-account.ts';

export type Certification = ResultOf<typeof readCertification>;
export type CertificationLevel = Certification['primary'];

/** Polls while a level is under review, so that the decision appears without a reload. */
export function useCertification() {
  const { refresh } = useAccount();
  const queries = useQueryClient();
  const read = useRead(readCertification, {}, { freshForMs: 0, everyMs: 15_000 });
  const changed = (): void => {
    void queries.invalidateQueries({ queryKey: readQueryKey(readCertification) });
    refresh();
  };
  return { ...read, changed };
}
