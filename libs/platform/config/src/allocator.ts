/**
 * The environment of our programs for glibc's allocator (mallopt(3)), as in `docker/Dockerfile`. Each thread would otherwise
 * keep an arena of its own, although few of them allocate at a time. Fixed thresholds return large buffers to the system;
 * the default ones rise to 32 MB with the first body of that size, and larger ones then leave holes between small blocks.
 */
export const ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '16777216',
};
