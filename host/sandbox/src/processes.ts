import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 25

/** Whether a process lives; a zombie does not. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return Reflect.get(Object(error), 'code') === 'EPERM'
  }
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

/** Whether a live process is the one meant: its command line holds `word`. Where that cannot be read, its being alive counts. */
export const isProcess = (pid: number, word: string): boolean => {
  if (!isAlive(pid)) return false
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word)
  } catch {
    return process.platform !== 'linux'
  }
}

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // It is gone already.
  }
}

/** Ends a process that this sandbox started: SIGTERM, and SIGKILL when it does not end in time. */
export const endProcess = async (pid: number, graceMs: number): Promise<void> => {
  signal(pid, 'SIGTERM')
  const deadline = performance.now() + graceMs
  while (isAlive(pid) && performance.now() < deadline) await delay(POLL_MS)
  if (!isAlive(pid)) return
  signal(pid, 'SIGKILL')
  while (isAlive(pid)) await delay(POLL_MS)
}
