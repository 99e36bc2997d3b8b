import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { isAlive } from '@causeway/core/host'

/** Another deploy of the same configuration is at work. */
export class DeployLockedError extends Error {
  override readonly name = 'DeployLockedError'
}

interface Holder {
  readonly pid: number
  readonly host: string
  /** ISO 8601. */
  readonly since: string
}

/**
 * Keeps other deploys of the configuration away while `work` runs: two would sign at the same nonces, and each would write its journal over
 * that of the other. The lock of a process that is no more is taken over, where it ran on this machine. @throws DeployLockedError
 */
export const withDeployLock = async <T>(journalFile: string, work: () => Promise<T>): Promise<T> => {
  const file = `${journalFile}.lock`
  take(file)
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

const take = (file: string): void => {
  if (create(file)) return
  const holder = readHolder(file)
  if (holder !== null && holder.host === hostname() && !isAlive(holder.pid) && putAside(file, holder) && create(file))
    return
  throw new DeployLockedError(refusal(file, readHolder(file)))
}

/** Whether the lock of one that is gone was taken away; that of somebody who did so first is put back. */
const putAside = (file: string, left: Holder): boolean => {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    const found = readHolder(aside)
    const isLeft = found?.pid === left.pid && found.since === left.since
    if (!isLeft) linkSync(aside, file)
    return isLeft
  } catch {
    return false
  } finally {
    rmSync(aside, { force: true })
  }
}

const create = (file: string): boolean => {
  const holder: Holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() }
  try {
    writeFileSync(file, `${JSON.stringify(holder)}\n`, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'EEXIST') return false
    throw error
  }
}

const readHolder = (file: string): Holder | null => {
  try {
    const { pid, host, since }: Partial<Record<keyof Holder, unknown>> = Object(JSON.parse(readFileSync(file, 'utf8')))
    return typeof pid === 'number' && typeof host === 'string' && typeof since === 'string'
      ? { pid, host, since }
      : null
  } catch {
    return null
  }
}

const refusal = (file: string, holder: Holder | null): string =>
  holder === null
    ? `Another "contracts deploy" begins or was cut off: ${file} is there. When none runs, remove it.`
    : `Process ${holder.pid} on ${holder.host} deploys since ${holder.since}. Wait for it; when it is no more, remove ${file}.`
