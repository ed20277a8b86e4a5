import { useMemo } from 'react';
import { qrPath } from '../parts/money/qr-path.ts';
import './qr-code.css';

/** Dark on white in every theme, with the quiet zone that scanners need. */
export default function QrCode({ payload, label, size = 184 }: { payload: string; label: string; size?: number }) {
  const { path, size: fields } = useMemo(() => qrPath(payload), [payload]);
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`-4 -4 ${fields + 8} ${fields + 8}`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
