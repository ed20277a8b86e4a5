export * from './backup.ts';
export * from './chain-heads.ts';
export * from './guard-folder.ts';
export * from './restore.ts';
export * from './watch-backups.ts';
