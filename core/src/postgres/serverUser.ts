import { spawnSync } from 'node:child_process'
import type { Environment } from '../container/environment.js'

/** Who the server runs as: PostgreSQL refuses root, so root drops to `nobody`. */
export interface ServerUser {
  readonly uid: number
  readonly gid: number
}

let nobody: ServerUser | undefined

/** The user to drop to, or null when this process's own user will do. */
export const serverUser = (): ServerUser | null => {
  if (process.getuid?.() !== 0) return null
  nobody ??= { uid: idOf('-u'), gid: idOf('-g') }
  return nobody
}

const FALLBACK_ID = 65_534

const idOf = (flag: '-u' | '-g'): number => {
  const answer = spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' })
  const id = Number.parseInt(answer.stdout ?? '', 10)
  return answer.status === 0 && Number.isSafeInteger(id) ? id : FALLBACK_ID
}

const KEPT_VARIABLES = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'LD_LIBRARY_PATH']

/** The variables of the server and its tools. Nothing else is handed on: the service's variables hold keys. */
export const serverEnvironment = (environment?: Environment): NodeJS.ProcessEnv => {
  const kept: NodeJS.ProcessEnv = { LC_ALL: 'C' }
  for (const name of KEPT_VARIABLES) {
    const value = environment?.read(name)
    if (value !== undefined) kept[name] = value
  }
  return kept
}
