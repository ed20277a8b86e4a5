import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/**
 * Chunks bring their style sheets in any order, and the first that names a layer fixes its place: so every sheet begins
 * by saying the order. It can't be said inline in the page, which the content security policy forbids.
 */
export function layersFirst(): Plugin {
  const order = readFileSync(fileURLToPath(import.meta.resolve('@sathorn/ui/style/layers.css')), 'utf8');
  return {
    name: 'sathorn-layers',
    enforce: 'pre',
    transform: { filter: { id: /\.css$/ }, handler: (code) => ({ code: `${order}\n${code}`, map: null }) },
  };
}
