export * from './catalogue.ts';
export * from './text-area.tsx';
