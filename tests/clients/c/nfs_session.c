/* A session of libnfs with an empty export; its one argument is the URL. Prints what it did not expect, and then fails.
 * cc nfs_session.c -lnfs */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <nfsc/libnfs.h>

#define EXPECT(what) \
  do { \
    if (!(what)) { \
      fprintf(stderr, "line %d: %s: %s\n", __LINE__, #what, nfs_get_error(nfs)); \
      exit(1); \
    } \
  } while (0)

static struct nfs_context *nfs;

static struct nfs_stat_64 stat_of(const char *path) {
  struct nfs_stat_64 st;
  EXPECT(nfs_stat64(nfs, path, &st) == 0);
  return st;
}

static int names_in(const char *path) {
  struct nfsdir *dir;
  int count = 0;
  EXPECT(nfs_opendir(nfs, path, &dir) == 0);
  while (nfs_readdir(nfs, dir) != NULL) count++;
  nfs_closedir(nfs, dir);
  return count;
}

static void files(void) {
  struct nfsfh *file;
  char buffer[64];
  EXPECT(nfs_creat(nfs, "/d/a", 0640, &file) == 0);
  EXPECT(nfs_write(nfs, file, 11, "Hello World") == 11);
  EXPECT(nfs_pwrite(nfs, file, 20000, 3, "end") == 3);
  EXPECT(nfs_fsync(nfs, file) == 0);
  EXPECT(nfs_close(nfs, file) == 0);
  EXPECT(stat_of("/d/a").nfs_size == 20003);
  EXPECT((stat_of("/d/a").nfs_mode & 07777) == 0640);
  EXPECT(nfs_open(nfs, "/d/a", O_RDONLY, &file) == 0);
  EXPECT(nfs_pread(nfs, file, 6, 5, buffer) == 5 && memcmp(buffer, "World", 5) == 0);
  EXPECT(nfs_pread(nfs, file, 19999, 64, buffer) == 4 && memcmp(buffer, "\0end", 4) == 0);
  EXPECT(nfs_pread(nfs, file, 30000, 64, buffer) == 0);
  /* The file is moved while it is open. */
  EXPECT(nfs_rename(nfs, "/d/a", "/b") == 0);
  EXPECT(nfs_pread(nfs, file, 0, 5, buffer) == 5 && memcmp(buffer, "Hello", 5) == 0);
  EXPECT(nfs_close(nfs, file) == 0);
  EXPECT(nfs_open(nfs, "/b", O_WRONLY | O_APPEND, &file) == 0);
  EXPECT(nfs_write(nfs, file, 4, "more") == 4);
  EXPECT(nfs_close(nfs, file) == 0);
  EXPECT(nfs_truncate(nfs, "/b", 5) == 0);
  EXPECT(stat_of("/b").nfs_size == 5);
  EXPECT(nfs_open(nfs, "/b", O_RDWR | O_TRUNC, &file) == 0);
  EXPECT(nfs_close(nfs, file) == 0);
  EXPECT(stat_of("/b").nfs_size == 0);
}

static void attributes(void) {
  struct timeval times[2] = {{981173106, 789000}, {981173106, 123000}};
  struct statvfs fs;
  EXPECT(nfs_chmod(nfs, "/b", 0751) == 0);
  EXPECT((stat_of("/b").nfs_mode & 07777) == 0751);
  EXPECT(nfs_utimes(nfs, "/b", times) == 0);
  EXPECT(stat_of("/b").nfs_mtime == 981173106 && stat_of("/b").nfs_mtime_nsec == 123000000);
  EXPECT(nfs_access(nfs, "/b", R_OK | W_OK) == 0);
  EXPECT(nfs_statvfs(nfs, "/", &fs) == 0);
  EXPECT(fs.f_files == 50000 && fs.f_namemax >= 255);
}

static void refusals(void) {
  struct nfsfh *file;
  char name[300];
  EXPECT(nfs_symlink(nfs, "b", "/s") < 0);
  EXPECT(nfs_link(nfs, "/b", "/l") < 0);
  EXPECT(nfs_mkdir(nfs, "/d") == -EEXIST);
  EXPECT(nfs_open(nfs, "/nope", O_RDONLY, &file) == -ENOENT);
  EXPECT(nfs_unlink(nfs, "/nope") == -ENOENT);
  EXPECT(nfs_rmdir(nfs, "/many") == -ENOTEMPTY);
  memset(name, 'n', sizeof name);
  name[0] = '/';
  name[sizeof name - 1] = 0;
  EXPECT(nfs_creat(nfs, name, 0644, &file) == -ENAMETOOLONG);
}

/* As rm -r does. */
static void empty(const char *path) {
  struct nfsdir *dir;
  struct nfsdirent *entry;
  EXPECT(nfs_opendir(nfs, path, &dir) == 0);
  while ((entry = nfs_readdir(nfs, dir)) != NULL) {
    char below[600];
    if (entry->name[0] == '.') continue;
    snprintf(below, sizeof below, "%s/%s", path, entry->name);
    EXPECT(nfs_unlink(nfs, below) == 0);
  }
  nfs_closedir(nfs, dir);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  nfs = nfs_init_context();
  struct nfs_url *url = nfs_parse_url_dir(nfs, argv[1]);
  EXPECT(url != NULL);
  EXPECT(nfs_mount(nfs, url->server, url->path) == 0);
  EXPECT(nfs_mkdir(nfs, "/d") == 0);
  files();
  attributes();
  EXPECT(nfs_mkdir(nfs, "/many") == 0);
  for (int i = 0; i < 1000; i++) {
    char path[64];
    struct nfsfh *file;
    snprintf(path, sizeof path, "/many/%0*d", 1 + i % 40, i);
    EXPECT(nfs_creat(nfs, path, 0644, &file) == 0);
    EXPECT(nfs_close(nfs, file) == 0);
  }
  EXPECT(names_in("/many") == 1002);
  refusals();
  empty("/many");
  EXPECT(names_in("/many") == 2);
  EXPECT(nfs_rmdir(nfs, "/many") == 0);
  EXPECT(nfs_rmdir(nfs, "/d") == 0);
  EXPECT(names_in("/") == 3);
  nfs_destroy_context(nfs);
  return 0;
}
