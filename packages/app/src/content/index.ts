export * from './activity-card.tsx';
export * from './rich-text-view.tsx';
