export * from './fund-demo.ts';
export * from './fund-house.ts';
