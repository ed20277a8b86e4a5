export * from './app-plugins.ts';
export * from './compressed-files.ts';
