import type { ReactNode } from 'react';
import './page-foot.css';

/** The main button of a page, which stays within the thumb's reach; above it a line that says why. */
export function PageFoot({ why, children }: { why?: ReactNode; children: ReactNode }) {
  return (
    <div className="page-foot">
      {why !== undefined && why !== null && <p className="page-foot-why">{why}</p>}
      {children}
    </div>
  );
}
