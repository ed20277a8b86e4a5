import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/**
 * Chunks load their style sheets in any order, and the first sheet that names a layer fixes its position. So every
 * sheet begins with the layers' order. The page cannot state it inline, because the content security policy forbids
 * that.
 */
export function cssLayersFirst(): Plugin {
  const order = readFileSync(fileURLToPath(import.meta.resolve('@sathorn/ui/style/layers.css')), 'utf8');
  return {
    name: 'sathorn-layers',
    enforce: 'pre',
    transform: { filter: { id: /\.css$/ }, handler: (code) => ({ code: `${order}\n${code}`, map: null }) },
  };
}
