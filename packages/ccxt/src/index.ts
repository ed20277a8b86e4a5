export { Sathorn } from './sathorn.ts';
