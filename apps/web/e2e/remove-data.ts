import { rm } from 'node:fs/promises';

/** After the last test: the run's own data goes, a folder that somebody named stays. */
export default async function removeData(): Promise<void> {
  const folder = process.env.E2E_DATA_DIR;
  if (folder === undefined || process.env.E2E_DATA_DIR_IS_OURS !== 'yes') return;
  await rm(folder, { recursive: true, force: true });
}
