"""
The library that keeps freed blocks for the next kernel: what JIT-compiled kernels are linked to.

Their `malloc`, `calloc`, `realloc` and `free` come here, by the linker's option `wrap`; exported
kernels have none of it. A kept block is an ordinary one of malloc's, so any `free` can free it.
`docs/rationale/allocation.md` says why.
"""

MEMORY_SOURCE = r"""
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

extern "C" {
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t bytes);
void __real_free(void *block);
}

enum { slots = 32, patience = 128, samples = 16 };

// malloc keeps smaller blocks itself.
static const size_t smallest = (size_t)1 << 20;

struct Kept {
  void *block;
  size_t bytes;
  uint64_t turn;
};

static Kept kept[slots];
static int count = 0;
static size_t total = 0, limit = 0;
static uint64_t turn = 0;
static bool busy = false;

// Nobody waits: who finds the list in use, or was forked while it was, does with malloc and free.
static bool enter() { return !__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE); }
static void leave() { __atomic_clear(&busy, __ATOMIC_RELEASE); }

static void *without(int k) {
  void *block = kept[k].block;
  total -= kept[k].bytes;
  kept[k] = kept[--count];
  return block;
}

static int oldest() {
  int found = 0;
  for (int k = 1; k < count; k++)
    if (kept[k].turn < kept[found].turn) found = k;
  return found;
}

static void free_all(void **blocks, int number) {
  for (int k = 0; k < number; k++) __real_free(blocks[k]);
}

// Whether most of a block has memory behind it: only then is clearing it cheaper than fresh zeros.
static bool is_resident(void *block, size_t bytes) {
  const size_t page = (size_t)1 << 12;
  int present = 0;
  for (int k = 0; k < samples; k++) {
    unsigned char state = 0;
    uintptr_t address = (uintptr_t)block + bytes / samples * k;
    mincore((void *)(address & ~(page - 1)), page, &state);
    present += state & 1;
  }
  return present > samples / 2;
}

// The smallest kept block that holds `bytes` and is not more than twice as large.
static void *take(size_t bytes, bool resident) {
  if (bytes < smallest || !enter()) return nullptr;
  turn++;
  int best = -1;
  for (int k = 0; k < count; k++) {
    const size_t size = kept[k].bytes;
    if (size < bytes || size / 2 > bytes) continue;
    if (best < 0 || size < kept[best].bytes) best = k;
  }
  if (best >= 0 && resident && !is_resident(kept[best].block, bytes)) best = -1;
  void *block = best < 0 ? nullptr : without(best);
  leave();
  return block;
}

// The system may have the pages back while nobody uses them, and does not touch them otherwise.
// Whole huge pages only: neither malloc's words around the block are lost nor is a page split.
static void lend(void *block, size_t bytes) {
  const uintptr_t huge_page = (uintptr_t)1 << 21, at = (uintptr_t)block;
  const uintptr_t begin = (at + huge_page - 1) & ~(huge_page - 1);
  const uintptr_t end = (at + bytes) & ~(huge_page - 1);
  if (begin < end) madvise((void *)begin, end - begin, MADV_FREE);
}

static bool keep(void *block) {
  const size_t bytes = malloc_usable_size(block);
  if (bytes < smallest || bytes > limit) return false;
  lend(block, bytes);
  if (!enter()) return false;
  void *given_up[slots];
  int number = 0;
  turn++;
  for (int k = count - 1; k >= 0; k--)
    if (turn - kept[k].turn > patience) given_up[number++] = without(k);
  while (count == slots || total + bytes > limit) given_up[number++] = without(oldest());
  kept[count++] = {block, bytes, turn};
  total += bytes;
  leave();
  free_all(given_up, number);
  return true;
}

extern "C" size_t tamale_release_memory() {
  if (!enter()) return 0;
  void *given_up[slots];
  const size_t bytes = total;
  const int number = count;
  for (int k = 0; k < number; k++) given_up[k] = kept[k].block;
  count = 0;
  total = 0;
  leave();
  free_all(given_up, number);
  return bytes;
}

extern "C" size_t tamale_kept_memory() { return total; }

extern "C" void tamale_keep_memory(size_t bytes) {
  limit = bytes;
  tamale_release_memory();
}

extern "C" void *__wrap_malloc(size_t bytes) {
  if (void *block = take(bytes, false)) return block;
  void *block = __real_malloc(bytes);
  if (!block && tamale_release_memory()) block = __real_malloc(bytes);
  return block;
}

extern "C" void *__wrap_calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return nullptr;
  if (void *block = take(bytes, true)) return memset(block, 0, bytes);
  void *block = __real_calloc(count, size);
  if (!block && tamale_release_memory()) block = __real_calloc(count, size);
  return block;
}

extern "C" void __wrap_free(void *block) {
  if (!keep(block)) __real_free(block);
}

static void *moved(void *block, void *other, size_t bytes) {
  memcpy(other, block, bytes);
  __wrap_free(block);
  return other;
}

// Room that was too large stays in one piece for the next call. What is cut off has no memory
// behind it, or some that the system may have; where that is nearly all, what is used moves.
static void *cut(void *block, size_t bytes, size_t usable) {
  if (bytes >= usable / 8) return block;
  void *other = __wrap_malloc(bytes);
  return other ? moved(block, other, bytes) : block;
}

extern "C" void *__wrap_realloc(void *block, size_t bytes) {
  const size_t usable = malloc_usable_size(block);
  if (bytes <= usable && usable >= smallest && usable <= limit) return cut(block, bytes, usable);
  void *other = block ? take(bytes, false) : nullptr;
  if (other) return moved(block, other, usable < bytes ? usable : bytes);
  other = __real_realloc(block, bytes);
  if (!other && tamale_release_memory()) other = __real_realloc(block, bytes);
  return other;
}
""".lstrip()
