export type { ConsoleDependencies, StaffQueue } from './console.ts';
export { openConsole } from './open-console.ts';
