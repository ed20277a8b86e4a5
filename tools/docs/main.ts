/**
 * `npm run docs`: writes the pages that repeat what the code says and are not in the repository. `-- --pictures` also
 * retakes the README's screenshots.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readTree } from '../tidy/tree.ts';
import { apiPage, type ScreenFiles, type ScreenRow, screensPage } from './pages.ts';

const root = path.resolve(import.meta.dirname, '../..');
// Imported by path at run time, because the type check of the tools does not read the screens' JSX. The tables
// themselves load no screen.
const app = path.join(root, 'apps/web/src');
const { SCREENS } = (await import(`${app}/paths.ts`)) as { SCREENS: readonly ScreenRow[] };
const { SCREEN_FILES } = (await import(`${app}/screens.ts`)) as { SCREEN_FILES: ScreenFiles };
const pages: Record<string, string> = {
  'docs/api.md': apiPage(readTree(root)),
  'docs/screens.md': screensPage(SCREENS, SCREEN_FILES),
};
for (const [file, text] of Object.entries(pages)) {
  writeFileSync(path.join(root, file), text);
  console.log(`wrote ${file}`);
}
if (process.argv.includes('--pictures')) {
  const { takePictures } = await import('./pictures.ts');
  await takePictures(path.join(root, 'docs/pictures'));
}
