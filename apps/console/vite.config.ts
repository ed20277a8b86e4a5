import { fileURLToPath } from 'node:url';
import { appPlugins, compressedFiles } from '@sathorn/app/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const brandFile = fileURLToPath(new URL('src/brand.ts', import.meta.url));
const { brand } = (await import(brandFile)) as typeof import('./src/brand.ts');
const server = process.env.SERVER ?? 'http://localhost:3000';

/** The operators' app, which the server serves at `/console` beside the customers' app. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [
    react(),
    appPlugins({
      brand,
      brandFile,
      texts: { first: ['faults', 'shell'], rest: ['faults'] },
      chunks: {
        // Listed before the shell, which would otherwise include this file with the rest of `src/parts/`.
        thai: ['src/parts/texts/texts.json?th'],
        shell: ['src/main.tsx', 'src/shell/', 'src/parts/', 'packages/ui/', 'packages/app/'],
      },
    }),
    compressedFiles(),
  ],
  server: { port: 5190, strictPort: true, proxy: { '/api': { target: server }, '/demo': { target: server } } },
});
