export * from './copy-text.ts';
export * from './overlays.tsx';
export * from './page-bar.tsx';
export * from './screen-frame.tsx';
export * from './scroll-to-place.ts';
export * from './session-watch.tsx';
export * from './start-app.tsx';
export * from './toasts.ts';
