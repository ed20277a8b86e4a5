/**
 * Settings of glibc for our child processes. Without them it raises the size from which a freed block goes back to the
 * system up to 32 MB, and each hashed password leaves 19 MB in the arena of its thread. `tools/setup.mjs` sets the same
 * for the process that it starts.
 */
export const ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '262144',
} as const;
