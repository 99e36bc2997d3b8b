import { readdirSync, readFileSync } from 'node:fs'

/** `/proc/<pid>/stat` counts in hundredths of a second. */
const TICK_MS = 10
/** Fields after the name of the program, which may hold spaces. */
const PARENT = 1
const OWN = [11, 12]
const COLLECTED = [13, 14]

const statOf = (pid: number | string): readonly string[] | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

const sum = (fields: readonly string[], places: readonly number[]): number =>
  places.reduce((total, place) => total + Number(fields[place]), 0)

/** Milliseconds of processor that a server and its children took, those that ended too; null where the system does not tell. */
export const serverCpuMs = (pid: number): number | null => {
  const server = statOf(pid)
  if (server === null) return null
  const children = readdirSync('/proc').flatMap((name) => {
    const fields = /^\d+$/.test(name) ? statOf(name) : null
    return fields?.[PARENT] === String(pid) ? [fields] : []
  })
  const ticks = children.reduce((total, child) => total + sum(child, OWN), sum(server, [...OWN, ...COLLECTED]))
  return ticks * TICK_MS
}
