import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

const ASK_MS = 20
const TERM_MS = 3_000
const QUIT_MS = 3_000

interface ProcessEntry {
  readonly pid: number
  readonly parent: number
}

const runningProcess = (pid: number): ProcessEntry | null => {
  try {
    const [, state, parent] = /^\d+ \(.*\) (\S) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return state === undefined || state === 'Z' || state === 'X' ? null : { pid, parent: Number(parent) }
  } catch {
    // It ended.
    return null
  }
}

/** Running processes below a process, the process itself excluded. Linux only. */
export const descendantsOf = (pid: number): readonly number[] => {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (runningProcess(Number(name)) ?? []) : []))
  const below = (parent: number): number[] =>
    all.flatMap((entry) => (entry.parent === parent ? [entry.pid, ...below(entry.pid)] : []))
  return below(pid)
}

export const isRunning = (pid: number): boolean => runningProcess(pid) !== null

/**
 * Ends every process that this one started, and theirs: hosts, local chains, PostgreSQL, floor servers, browsers. Resolves when all are
 * gone. SIGQUIT follows SIGTERM, since PostgreSQL waits for its clients otherwise, and SIGKILL follows both.
 */
export const endOwnProcesses = async (): Promise<void> => {
  // A process whose parent ends first leaves the tree, so all are remembered.
  const own = new Set<number>()
  const running = (): readonly number[] => {
    for (const pid of descendantsOf(process.pid)) own.add(pid)
    return [...own].filter(isRunning)
  }
  for (const [name, milliseconds] of [
    ['SIGTERM', TERM_MS],
    ['SIGQUIT', QUIT_MS],
    ['SIGKILL', QUIT_MS],
  ] as const) {
    const told = new Set<number>()
    const until = performance.now() + milliseconds
    for (let left = running(); left.length > 0 && performance.now() < until; left = running()) {
      for (const pid of left) if (!told.has(pid)) end(pid, name)
      for (const pid of left) told.add(pid)
      await wait(ASK_MS)
    }
  }
}

const end = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // It ended.
  }
}
