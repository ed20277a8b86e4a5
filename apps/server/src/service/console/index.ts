export type { ConsoleDependencies, Queue } from './console.ts';
export { openConsole } from './open-console.ts';
