import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

const ASK_MS = 20
const TERM_MS = 3_000
const QUIT_MS = 3_000

/** A process; its start time distinguishes it from a later one of the same pid. */
export interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly startTime: string
}

const runningProcess = (pid: number): ProcessEntry | null => {
  try {
    // The name in parentheses may hold anything; state is field 3, the parent 4, the start time 22.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state = 'X', parent, ...others] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? null : { pid, parent: Number(parent), startTime: others[17] ?? '' }
  } catch {
    // It ended.
    return null
  }
}

/** Running processes below a process, the process itself excluded. Linux only. */
export const descendantsOf = (pid: number): readonly ProcessEntry[] => {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (runningProcess(Number(name)) ?? []) : []))
  const below = (parent: number): ProcessEntry[] =>
    all.flatMap((entry) => (entry.parent === parent ? [entry, ...below(entry.pid)] : []))
  return below(pid)
}

export const isRunning = ({ pid, startTime }: ProcessEntry): boolean => runningProcess(pid)?.startTime === startTime

/**
 * Ends every process that this one started, and theirs: hosts, local chains, PostgreSQL, floor servers, browsers. Resolves when all are
 * gone. SIGQUIT follows SIGTERM, since PostgreSQL waits for its clients otherwise, and SIGKILL follows both.
 */
export const endOwnProcesses = async (): Promise<void> => {
  // A process whose parent ends first leaves the tree, so all are remembered.
  const own = new Map<string, ProcessEntry>()
  const running = (): readonly number[] => {
    for (const entry of descendantsOf(process.pid)) own.set(`${entry.pid} ${entry.startTime}`, entry)
    return [...own.values()].filter(isRunning).map(({ pid }) => pid)
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
