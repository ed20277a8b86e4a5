export * from './app.ts';
export * from './compressed-files.ts';
