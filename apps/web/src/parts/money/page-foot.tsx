import type { ReactNode } from 'react';
import './page-foot.css';

/** A page's main button within reach of the thumb, with an optional line above it that explains it. */
export function PageFoot({ why, children }: { why?: ReactNode; children: ReactNode }) {
  return (
    <div className="page-foot">
      {why !== undefined && why !== null && <p className="page-foot-why">{why}</p>}
      {children}
    </div>
  );
}
