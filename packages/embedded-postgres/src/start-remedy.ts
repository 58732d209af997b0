const remedies: readonly (readonly [RegExp, string])[] = [
  [
    /no space left|disk quota/i,
    "Free some disk space (the database needs about 200 MB to begin with) and start again.",
  ],
  [
    /read-only file system/i,
    "Make the folder writable (in a container: put it on a volume), or set SERVICE_HOME or DATABASE_URL.",
  ],
  [
    /error while loading shared libraries|GLIBC_|GLIBCXX_/i,
    "Install the library named above (libstdc++ comes with the package libstdc++6), or set DATABASE_URL.",
  ],
  [
    /shared memory/i,
    "Stop programs that hold shared memory, or raise the machine's limit for it (kernel.shmmax, kernel.shmall; in a container --shm-size).",
  ],
  [
    /unrecognized configuration parameter|invalid value for parameter/i,
    "Correct the setting named above and start again.",
  ],
  [
    /EACCES|EPERM|permission denied|operation not permitted/i,
    "Give the user that runs the service access to the path named above, and see that it is not mounted 'noexec'.",
  ],
  [/cannot allocate memory|ENOMEM/i, "Free some memory: the database needs about 100 MB."],
  [/too many open files|EMFILE|ENFILE/i, "Raise the limit of open files (ulimit -n) and start again."],
];

/** What to do about a complaint of PostgreSQL or of the operating system. */
export function remedyFor(complaint: string): string {
  const known = remedies.find(([pattern]) => pattern.test(complaint));
  return (
    known?.[1] ??
    "Correct what the message names and start again, or set DATABASE_URL to a PostgreSQL 18 server of your own."
  );
}
