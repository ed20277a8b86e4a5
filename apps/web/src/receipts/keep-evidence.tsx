import { Late, renderNothing } from '@sathorn/app/late';
import { useEffect } from 'react';
import { loadFindings, useFindings } from '../parts/evidence/evidence-findings.ts';
import { hearAcknowledged } from '../parts/evidence/hear-acknowledged.ts';
import { watchLog } from '../parts/evidence/watch-log.ts';
import { watchTickChain } from '../parts/evidence/watch-tick-chain.ts';

const loadAlert = () => import('./evidence-alert.tsx');

/** Watches the stream, the answers and the public log while the app is open. Shows contradictions, if there are any. */
export default function KeepEvidence() {
  const hasFound = useFindings(({ all }) => all.length > 0);
  useEffect(() => {
    void loadFindings();
    const endings = [watchTickChain(), hearAcknowledged(), watchLog()];
    return () => {
      for (const end of endings) end();
    };
  }, []);
  if (!hasFound) return null;
  return <Late load={loadAlert} failed={renderNothing} />;
}
