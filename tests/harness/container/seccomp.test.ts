import { describe, expect, test } from "bun:test"
import { seccompProfile } from "../../../src/harness/container/seccomp.ts"

const { syscalls, ...rest } = seccompProfile("x64")
const plainlyAllowed = syscalls.filter(({ action, args }) => action === "SCMP_ACT_ALLOW" && args === undefined)
const allowed = plainlyAllowed.flatMap(({ names }) => names)

describe("the profile", () => {
  test("denies what it does not name, as if it did not exist", () => {
    expect(rest).toEqual({
      defaultAction: "SCMP_ACT_ERRNO",
      defaultErrnoRet: 38,
      architectures: ["SCMP_ARCH_X86_64"],
    })
    expect(seccompProfile("arm64")).toEqual({ syscalls, ...rest, architectures: ["SCMP_ARCH_AARCH64"] })
  })

  const kinds = {
    "new namespaces": "clone clone3 unshare setns",
    mounting:
      "mount umount umount2 pivot_root move_mount fsopen fsconfig fsmount fspick open_tree mount_setattr chroot",
    "the memory of others": "ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd userfaultfd",
    keys: "keyctl add_key request_key",
    "the kernel": "bpf perf_event_open init_module finit_module delete_module kexec_load kexec_file_load syslog",
    io_uring: "io_uring_setup io_uring_enter io_uring_register",
    "files by handle": "open_by_handle_at name_to_handle_at fanotify_init quotactl",
    "the machine": "reboot swapon swapoff settimeofday clock_settime adjtimex sethostname iopl ioperm modify_ldt acct",
    "shared memory": "shmget shmat semget msgget mq_open",
    devices: "mknod mknodat",
    "sockets without a condition": "socket socketpair",
  }
  for (const [kind, names] of Object.entries(kinds)) {
    test(`leaves out ${kind}`, () => expect(names.split(" ").filter((name) => allowed.includes(name))).toEqual([]))
  }

  test("knows each call once", () => expect(allowed.length).toBe(new Set(allowed).size))

  test("allows processes and threads without namespaces, and local sockets", () => {
    expect(syscalls.filter((entry) => !plainlyAllowed.includes(entry))).toEqual([
      { names: ["clone3"], action: "SCMP_ACT_ERRNO", errnoRet: 38 },
      {
        names: ["clone"],
        action: "SCMP_ACT_ALLOW",
        args: [{ index: 0, value: 0x7e020000, valueTwo: 0, op: "SCMP_CMP_MASKED_EQ" }],
      },
      { names: ["socket"], action: "SCMP_ACT_ALLOW", args: [{ index: 0, value: 1, op: "SCMP_CMP_EQ" }] },
      { names: ["socketpair"], action: "SCMP_ACT_ALLOW", args: [{ index: 0, value: 1, op: "SCMP_CMP_EQ" }] },
      {
        names: ["socket", "socketpair"],
        action: "SCMP_ACT_ERRNO",
        errnoRet: 97,
        args: [{ index: 0, value: 1, op: "SCMP_CMP_NE" }],
      },
    ])
  })
})
