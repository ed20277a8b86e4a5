/** `npm run docs`: writes the generated pages. `-- --check` fails when one is stale; `-- --pictures` also takes the README's pictures anew. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readTree } from '../tidy/tree.ts';
import { apiPage, type ScreenRow, screensPage } from './pages.ts';

const root = path.resolve(import.meta.dirname, '../..');
// By its path: the app's screens are JSX, which the tools' type check doesn't read; the table itself loads none of them.
const { SCREENS } = (await import(path.join(root, 'apps/web/src/screens.ts'))) as { SCREENS: readonly ScreenRow[] };
const pages: Record<string, string> = {
  'docs/api.md': apiPage(readTree(root).keys()),
  'docs/screens.md': screensPage(SCREENS),
};
const isCheck = process.argv.includes('--check');
for (const [file, text] of Object.entries(pages)) {
  const at = path.join(root, file);
  if (existsSync(at) && readFileSync(at, 'utf8') === text) continue;
  if (isCheck) {
    console.error(`${file} is stale: npm run docs`);
    process.exitCode = 1;
  } else {
    writeFileSync(at, text);
    console.log(`wrote ${file}`);
  }
}
if (process.argv.includes('--pictures')) {
  const { takePictures } = await import('./pictures.ts');
  await takePictures(path.join(root, 'docs/pictures'));
}
