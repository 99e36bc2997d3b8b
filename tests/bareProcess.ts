import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { TEST_DATABASE_VARIABLE } from '@causeway/core/testing'

/** For tests that need nothing: no database is there for them, and a process that one of them starts is an error. */
delete process.env[TEST_DATABASE_VARIABLE]

const refuse = (program: unknown): never => {
  throw new Error(
    `A unit test starts no process, but this one started ${String(program)}: name it *.database, *.chain or *.proof`,
  )
}

Object.assign(childProcess, { spawn: refuse, spawnSync: refuse, fork: refuse, execFile: refuse, execFileSync: refuse })
syncBuiltinESMExports()
