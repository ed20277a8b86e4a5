export * from './bus.ts';
export * from './commands.ts';
export { type LiveLink, writeGapEvent } from './live-link.ts';
export { openLocalCommands } from './local-commands.ts';
export { openBus, openNatsCommands } from './open-bus.ts';
