/**
 * Settings of glibc for our child processes. By default glibc raises the size above which it returns a freed block to
 * the system, up to 32 MB, so each hashed password would leave 19 MB in its thread's arena. `tools/setup.mjs` sets the
 * same for the process that it starts.
 */
export const ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '262144',
} as const;
