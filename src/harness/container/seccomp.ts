// Which system calls a sandboxed script may make. What is not on the list does not exist for it
// (ENOSYS, so that C libraries fall back to older calls). Not on it, and this is the point: new
// namespaces, everything that mounts, other processes' memory (ptrace, process_vm_*, kcmp,
// pidfd_getfd), keys, bpf, perf, io_uring, userfaultfd, modules, kexec, clocks, handles to files,
// System V memory, and every kind of socket but a local one.

const allowed = `
  accept accept4 access alarm arch_prctl bind brk cachestat capget capset chdir chmod chown clock_getres clock_gettime
  clock_nanosleep close close_range connect copy_file_range creat dup dup2 dup3 epoll_create epoll_create1 epoll_ctl
  epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 execve exit exit_group faccessat faccessat2 fadvise64 fallocate
  fchdir fchmod fchmodat fchmodat2 fchown fchownat fcntl fdatasync fgetxattr flistxattr flock fork fsetxattr fstat
  fstatfs fsync ftruncate futex futex_requeue futex_wait futex_waitv futex_wake futimesat get_robust_list get_thread_area
  getcpu getcwd getdents getdents64 getegid geteuid getgid getgroups getitimer getpeername getpgid getpgrp getpid
  getppid getpriority getrandom getresgid getresuid getrlimit getrusage getsid getsockname getsockopt gettid
  gettimeofday getuid getxattr inotify_add_watch inotify_init inotify_init1 inotify_rm_watch ioctl kill landlock_add_rule
  landlock_create_ruleset landlock_restrict_self lchown lgetxattr link linkat listen listxattr llistxattr lseek lsetxattr
  lstat madvise map_shadow_stack membarrier memfd_create mincore mkdir mkdirat mlock mlock2 mlockall mmap mprotect
  mremap mseal msync munlock munlockall munmap nanosleep newfstatat open openat openat2 pause pidfd_open
  pidfd_send_signal pipe pipe2 pkey_alloc pkey_free pkey_mprotect poll ppoll prctl pread64 preadv preadv2 prlimit64
  pselect6 pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv recvfrom recvmmsg recvmsg rename renameat
  renameat2 restart_syscall rmdir rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn
  rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min sched_getaffinity
  sched_getattr sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam
  sched_setscheduler sched_yield seccomp select sendfile sendmmsg sendmsg sendto set_robust_list set_thread_area
  set_tid_address setfsgid setfsuid setgid setgroups setitimer setpgid setpriority setregid setresgid setresuid setreuid
  setrlimit setsid setsockopt setuid setxattr shutdown sigaltstack signalfd signalfd4 splice stat statfs statx symlink
  symlinkat sync sync_file_range syncfs sysinfo tee tgkill time timer_create timer_delete timer_getoverrun
  timer_gettime timer_settime timerfd_create timerfd_gettime timerfd_settime times tkill truncate umask uname unlink
  unlinkat utime utimensat utimes vfork vmsplice wait4 waitid write writev`

// CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET.
const namespaceFlags = 0x7e020000
const localSocket = 1
const errno = { noSuchCall: 38, noSuchFamily: 97 }

interface Condition {
  index: number
  value: number
  valueTwo?: number
  op: "SCMP_CMP_EQ" | "SCMP_CMP_NE" | "SCMP_CMP_MASKED_EQ"
}

export interface SeccompProfile {
  defaultAction: "SCMP_ACT_ERRNO"
  defaultErrnoRet: number
  architectures: string[]
  syscalls: { names: string[]; action: "SCMP_ACT_ALLOW" | "SCMP_ACT_ERRNO"; errnoRet?: number; args?: Condition[] }[]
}

/** The profile, in the form that both engines read. */
export function seccompProfile(machine: "x64" | "arm64"): SeccompProfile {
  return {
    defaultAction: "SCMP_ACT_ERRNO",
    defaultErrnoRet: errno.noSuchCall,
    // No others: the calls of 32-bit and x32 programs have other numbers.
    architectures: [machine === "x64" ? "SCMP_ARCH_X86_64" : "SCMP_ARCH_AARCH64"],
    syscalls: [
      { names: allowed.trim().split(/\s+/), action: "SCMP_ACT_ALLOW" },
      // Its flags are out of a filter's sight. Said once more, because older dockers do not know the default's
      // number, and C libraries fall back to `clone` for no other.
      { names: ["clone3"], action: "SCMP_ACT_ERRNO", errnoRet: errno.noSuchCall },
      allow("clone", { index: 0, value: namespaceFlags, valueTwo: 0, op: "SCMP_CMP_MASKED_EQ" }),
      allow("socket", { index: 0, value: localSocket, op: "SCMP_CMP_EQ" }),
      allow("socketpair", { index: 0, value: localSocket, op: "SCMP_CMP_EQ" }),
      {
        names: ["socket", "socketpair"],
        action: "SCMP_ACT_ERRNO",
        errnoRet: errno.noSuchFamily,
        args: [{ index: 0, value: localSocket, op: "SCMP_CMP_NE" }],
      },
    ],
  }
}

function allow(name: string, condition: Condition): SeccompProfile["syscalls"][number] {
  return { names: [name], action: "SCMP_ACT_ALLOW", args: [condition] }
}
