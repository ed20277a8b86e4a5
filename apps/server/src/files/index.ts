export { type Files, openFiles } from './open-files.ts';
