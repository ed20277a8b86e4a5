import { signOrdersWith } from '@sathorn/app/client';
import { Late, renderNothing } from '@sathorn/app/late';
import { useSession } from '@sathorn/app/session';
import { useEffect } from 'react';
import { loadFindings, useFindings } from '../parts/evidence/evidence-findings.ts';
import { hearAcknowledged } from '../parts/evidence/hear-acknowledged.ts';
import { watchLog } from '../parts/evidence/watch-log.ts';
import { watchTickChain } from '../parts/evidence/watch-tick-chain.ts';

const loadSigner = () => import('../parts/evidence/device-signer.ts');
const loadAlert = () => import('./evidence-alert.tsx');
signOrdersWith(async () => (await loadSigner()).signer);

/**
 * Watches the stream, the answers and the public log while the app is open, and loads this device's key. Shows
 * contradictions, if there are any.
 */
export default function KeepEvidence() {
  const hasFound = useFindings(({ all }) => all.length > 0);
  useEffect(() => {
    void loadFindings();
    const endings = [watchTickChain(), hearAcknowledged(), watchLog()];
    return () => {
      for (const end of endings) end();
    };
  }, []);
  const customer = useSession(({ token, user }) => (token === null ? undefined : user?.id));
  useEffect(() => {
    if (customer !== undefined)
      void loadSigner()
        .then(({ prepareDeviceKey }) => prepareDeviceKey(customer))
        .catch(() => undefined);
  }, [customer]);
  if (!hasFound) return null;
  return <Late load={loadAlert} failed={renderNothing} />;
}
