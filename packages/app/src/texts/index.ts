export * from './catalogue.ts';
export * from './index.ts';
export * from './part-texts.tsx';
