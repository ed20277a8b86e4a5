export * from './bus.ts';
export * from './commands.ts';
export { gapText, type LiveLink } from './live-link.ts';
export { localCommands } from './local-commands.ts';
export { natsCommands, openBus } from './open-bus.ts';
