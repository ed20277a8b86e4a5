export { type ConsoleDependencies, openConsole } from './open-console.ts';
export type { Queue } from './room.ts';
