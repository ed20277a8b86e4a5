export * from './backup.ts';
export { missingBackupWarning } from './backup-folder.ts';
export * from './chain-heads.ts';
export * from './guard-data-folder.ts';
export * from './restore-backup.ts';
export * from './watch-backups.ts';
