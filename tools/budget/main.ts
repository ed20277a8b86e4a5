import { readFileSync } from 'node:fs';
import path from 'node:path';
import { screenFile } from '@sathorn/app/screen-table';
import type { ScreenFiles } from '../docs/pages.ts';
import { findCircles, HARMLESS_CIRCLES } from './find-circles.ts';
import { type BuildManifest, sentSize, weighBuild, weighConsole, weighVisits } from './weigh-build.ts';

// `node tools/budget/main.ts`: measures the apps' compressed sizes after `vite build`, counts files of first visits,
// and looks for files that import each other. Exits with 1 if a limit is exceeded, or for an unknown circle.
const dist = path.resolve(import.meta.dirname, '../../apps/web/dist');
const manifest = JSON.parse(readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8')) as BuildManifest;
const screens = path.resolve(import.meta.dirname, '../../apps/web/src/screens.ts');
const { SCREEN_FILES } = (await import(screens)) as { SCREEN_FILES: ScreenFiles };
const files = Object.values(SCREEN_FILES).map((load) => `src/${screenFile(load)}`);
const desk = path.resolve(import.meta.dirname, '../../apps/console/dist');
const deskManifest = JSON.parse(readFileSync(path.join(desk, '.vite/manifest.json'), 'utf8')) as BuildManifest;
const weights = [...weighBuild(manifest, sentSize(dist), files), ...weighConsole(deskManifest, sentSize(desk))];

const kb = (bytes: number) => `${(bytes / 1000).toFixed(1).padStart(6)} kB`;
for (const { name, bytes, aim, limit } of weights) {
  const verdict = bytes > limit ? 'FAILS' : bytes > aim ? 'above the aim' : '';
  console.log(`${kb(bytes)}  of ${kb(aim)}  ${name}${verdict && `  — ${verdict}`}`);
}
const visits = weighVisits(manifest, sentSize(dist));
for (const { name, bytes, bytesMax, files, filesMax } of visits) {
  const verdict = bytes > bytesMax || files > filesMax ? '  — FAILS' : '';
  console.log(`${kb(bytes)}  of ${kb(bytesMax)}  ${name}, ${files} files of ${filesMax}${verdict}`);
}
const broken = weights.filter(({ bytes, limit }) => bytes > limit);
const count =
  broken.length + visits.filter((visit) => visit.bytes > visit.bytesMax || visit.files > visit.filesMax).length;
const circles = [...findCircles(manifest), ...findCircles(deskManifest)].filter(
  (circle) => !HARMLESS_CIRCLES.includes(circle),
);
for (const circle of circles) console.error(`${circle} import each other; put what both need into one chunk.`);
if (circles.length > 0) process.exitCode = 1;
if (count > 0) {
  console.error(`${count} of ${weights.length + visits.length} budgets are broken.`);
  process.exitCode = 1;
}
