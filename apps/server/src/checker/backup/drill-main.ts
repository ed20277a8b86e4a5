/** `DATA_DIR=… npm run drill`: backs the platform up, restores it beside itself, checks the copy, and removes both. */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../../platform/database/index.ts';
import { listSecretFiles, readSecret } from '../../platform/secrets.ts';
import { findViolations } from '../checker/index.ts';
import { backUp } from './backup.ts';
import { FOLLOW_EVERY_MS, forgetNotedBackup } from './backup-folder.ts';
import { dropBackupSlot, slotNameOf } from './backup-slots.ts';
import { copySecrets } from './carry-secrets.ts';
import { withOwnerClient } from './chain-heads.ts';
import { readManifest } from './manifest.ts';
import { openCluster } from './open-cluster.ts';
import { describeFileError } from './read-file.ts';
import { restoreBackup } from './restore-backup.ts';

const print = (line: string): void => console.error(line);

const sizeOfFolder = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, name) => sum + (statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: string }> {
  const begun = performance.now();
  const result = await work();
  return { result, seconds: `${((performance.now() - begun) / 1_000).toFixed(1)} s` };
}

async function main(): Promise<void> {
  const dataDir = path.resolve(process.env.DATA_DIR || './data');
  if (listSecretFiles(dataDir).length === 0) throw new Error(`${dataDir} is not a data folder: set DATA_DIR`);
  const place = mkdtempSync(path.join(tmpdir(), 'sathorn-drill-'));
  // Postgres runs as its own user, which must be able to enter the restored folder.
  chmodSync(place, 0o711);
  const [folder, apart, restoredDir] = ['backup', 'apart', 'restored'].map((name) => path.join(place, name)) as [
    string,
    string,
    string,
  ];
  const cluster = await openCluster(dataDir, print);
  try {
    const backed = await timed(() => backUp({ dataDir, folder, owner: cluster.owner, print }));
    const megabytes = (sizeOfFolder(folder) / 1e6).toFixed(0);
    const followed = await timed(() => backUp({ dataDir, folder, owner: cluster.owner, print }));
    copySecrets(dataDir, apart);
    const restored = await timed(() => restoreBackup({ folder, dataDir: restoredDir, secretsFrom: apart, print }));
    const postgres = await startEmbeddedPostgres({
      dataDir: restoredDir,
      password: readSecret(restoredDir, 'databaseOwner').toString('hex'),
      print,
    });
    try {
      const password = readSecret(restoredDir, 'databaseChecker').toString('hex');
      const checked = await timed(() =>
        findViolations({ ...postgres.owner, user: 'sathorn_checker', password }, 'platform'),
      );
      const { heads, known, missing } = restored.result;
      const rows: [string, string][] = [
        ['backed up', `${megabytes} MB in ${backed.seconds}`],
        [
          'followed',
          `a pass takes ${followed.seconds}: with --follow at most ${FOLLOW_EVERY_MS / 1_000} s and that are lost`,
        ],
        ['restored', `in ${restored.seconds}`],
        ['transfers', `${heads.transfers}, of ${known.transfers} noted by the backup`],
        ['missing', missing.join(', ') || 'nothing'],
        ['violations', `${checked.result.length}, found in ${checked.seconds}`],
      ];
      for (const [name, value] of rows) console.log(`${name.padEnd(12)}${value}`);
      for (const { invariant, subjects } of checked.result) console.log(`  ${invariant} ${subjects.join(', ')}`);
      if (missing.length > 0 || checked.result.length > 0) process.exitCode = 1;
    } finally {
      await postgres.stop();
    }
  } finally {
    const manifest = readManifest(folder);
    if (manifest !== null) {
      await withOwnerClient(cluster.owner, (as) => dropBackupSlot(as, slotNameOf(manifest))).catch((error: Error) =>
        print(error.message),
      );
      forgetNotedBackup(dataDir, slotNameOf(manifest));
    }
    await cluster.close();
    rmSync(place, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  print(describeFileError(error).message);
  process.exitCode = 1;
});
