import childProcess from 'node:child_process'
import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { TEST_DATABASE_VARIABLE } from '@causeway/core/testing'

/** For tests that need nothing: no database is there for them, and a process that one of them starts is an error. */
delete process.env[TEST_DATABASE_VARIABLE]

const refuse = (program: unknown): never => {
  throw new Error(
    `A unit test starts no process, but this one started ${String(program)}: name it *.database, *.chain, *.proof or *.nightly`,
  )
}

Object.assign(childProcess, { spawn: refuse, spawnSync: refuse, fork: refuse, execFile: refuse, execFileSync: refuse })

const worked = new Map<string, ReturnType<typeof crypto.scryptSync>>()
const { scryptSync } = crypto

/** The real one, which is slow on purpose, but each key is worked out once: a test opens what it has sealed again and again. */
const scryptOnce = (
  password: BinaryLike,
  salt: BinaryLike,
  length: number,
  options?: ScryptOptions,
): ReturnType<typeof scryptSync> => {
  const asked = JSON.stringify([password, salt, length, options])
  const key = worked.get(asked) ?? scryptSync(password, salt, length, options)
  worked.set(asked, key)
  // Whoever gets it may wipe it.
  return Buffer.from(key)
}

// Workers run many files, and this before each.
if (scryptSync.name !== scryptOnce.name) crypto.scryptSync = scryptOnce

syncBuiltinESMExports()
