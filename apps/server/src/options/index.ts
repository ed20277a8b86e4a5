export * from './await-ends.ts';
export { buyOptionHandler } from './buy-option.ts';
export * from './open-options.ts';
