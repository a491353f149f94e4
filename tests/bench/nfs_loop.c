/* Work on an NFS export by libnfs, timed; prints one line of JSON with milliseconds.
 * cc -O2 nfs_loop.c -lnfs; its arguments are the URL of a directory and the works, of those below. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <nfsc/libnfs.h>

#define PIECE (1024 * 1024)
#define LARGE_MIB 64
#define SMALL_COUNT 500
#define SMALL_BYTES 1024
#define GETATTR_COUNT 10000

static struct nfs_context *nfs;

static void check(int failed, const char *what) {
  if (!failed) return;
  fprintf(stderr, "Cannot %s: %s\n", what, nfs_get_error(nfs));
  exit(1);
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static double write_large(char *piece) {
  struct nfsfh *file;
  double begun = now_ms();
  check(nfs_creat(nfs, "large", 0644, &file), "create a file");
  for (int i = 0; i < LARGE_MIB; i++) {
    piece[0] = (char)i;
    check(nfs_write(nfs, file, PIECE, piece) != PIECE, "write");
  }
  check(nfs_fsync(nfs, file), "commit");
  check(nfs_close(nfs, file), "close");
  return now_ms() - begun;
}

static double read_large(char *piece) {
  struct nfsfh *file;
  double begun = now_ms();
  check(nfs_open(nfs, "large", O_RDONLY, &file), "open a file");
  for (int i = 0; i < LARGE_MIB; i++) {
    check(nfs_read(nfs, file, PIECE, piece) != PIECE, "read");
    check(piece[0] != (char)i, "read what was written");
  }
  check(nfs_close(nfs, file), "close");
  return now_ms() - begun;
}

static double write_small(char *piece) {
  double begun = now_ms();
  for (int i = 0; i < SMALL_COUNT; i++) {
    char name[32];
    struct nfsfh *file;
    snprintf(name, sizeof name, "small%d", i);
    check(nfs_creat(nfs, name, 0644, &file), "create a file");
    check(nfs_write(nfs, file, SMALL_BYTES, piece) != SMALL_BYTES, "write");
    check(nfs_fsync(nfs, file), "commit");
    check(nfs_close(nfs, file), "close");
  }
  return now_ms() - begun;
}

static double read_small(char *piece) {
  double begun = now_ms();
  for (int i = 0; i < SMALL_COUNT; i++) {
    char name[32];
    struct nfsfh *file;
    snprintf(name, sizeof name, "small%d", i);
    check(nfs_open(nfs, name, O_RDONLY, &file), "open a file");
    check(nfs_read(nfs, file, SMALL_BYTES, piece) != SMALL_BYTES, "read");
    check(nfs_close(nfs, file), "close");
  }
  return now_ms() - begun;
}

static double ask_attributes(void) {
  struct nfsfh *file;
  check(nfs_open(nfs, "large", O_RDONLY, &file), "open a file");
  double begun = now_ms();
  for (int i = 0; i < GETATTR_COUNT; i++) {
    struct nfs_stat_64 st;
    check(nfs_fstat64(nfs, file, &st), "ask for attributes");
    check(st.nfs_size != (uint64_t)LARGE_MIB * PIECE, "be told the right size");
  }
  double taken = now_ms() - begun;
  check(nfs_close(nfs, file), "close");
  return taken;
}

static double run(const char *work, char *piece) {
  if (!strcmp(work, "write")) return write_large(piece);
  if (!strcmp(work, "read")) return read_large(piece);
  if (!strcmp(work, "small")) return write_small(piece);
  if (!strcmp(work, "smallread")) return read_small(piece);
  if (!strcmp(work, "getattr")) return ask_attributes();
  fprintf(stderr, "Cannot do \"%s\": write, read, small, smallread and getattr are known\n", work);
  exit(2);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  nfs = nfs_init_context();
  struct nfs_url *url = nfs_parse_url_dir(nfs, argv[1]);
  check(url == NULL, "read the URL");
  check(nfs_mount(nfs, url->server, url->path), "mount");
  char *piece = malloc(PIECE);
  memset(piece, 'x', PIECE);
  for (int i = 2; i < argc; i++) {
    printf("%s\"%s\":%.1f", i == 2 ? "{" : ",", argv[i], run(argv[i], piece));
  }
  printf("}\n");
  nfs_destroy_context(nfs);
  return 0;
}
