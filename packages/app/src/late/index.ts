export * from './chunk-of.ts';
export * from './extra.tsx';
export * from './late-part.tsx';
export * from './load-anew.ts';
export * from './opened.tsx';
export * from './reload-on-return.ts';
export * from './rescue.tsx';
export * from './screen-loader.ts';
