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

const { scryptSync } = crypto

/** The real one at a hundredth of its cost, which is high on purpose; `keystoreCost.database.test.ts` holds the cost of what is shipped. */
const cheapScrypt = (
  password: BinaryLike,
  salt: BinaryLike,
  length: number,
  options?: ScryptOptions,
): ReturnType<typeof scryptSync> => scryptSync(password, salt, length, { ...options, N: 1024 })

// Workers run many files, and this before each.
if (scryptSync.name !== cheapScrypt.name) crypto.scryptSync = cheapScrypt

syncBuiltinESMExports()
