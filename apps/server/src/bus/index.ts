export * from './bus.ts';
export * from './commands.ts';
export { localCommands } from './local-commands.ts';
