export * from './backup.ts';
export { sayWhatIsLost } from './backup-folder.ts';
export * from './chain-heads.ts';
export * from './guard-folder.ts';
export * from './restore.ts';
export * from './watch-backups.ts';
