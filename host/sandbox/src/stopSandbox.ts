import { environmentOf } from '@causeway/core'
import { stopEmbeddedPostgres } from '@causeway/core/host'
import type { StopSandboxOptions } from '@causeway/host'
import { endRecorded } from './openSandbox.js'
import { endProcess, isProcess } from './processes.js'
import { sandboxPaths } from './state/sandboxPaths.js'
import { readState, removeState } from './state/sandboxState.js'

const GRACE_MS = 60_000

/** Stops the sandbox of this folder: through its supervisor, or what a killed one left. */
export const stopSandbox = async ({ home, variables, print }: StopSandboxOptions): Promise<void> => {
  const paths = sandboxPaths(home)
  const state = readState(paths)
  if (state === null) {
    print(`There is no sandbox in ${paths.home}.`)
    return
  }
  if (isProcess(state.supervisorPid, 'causeway')) await endProcess(state.supervisorPid, GRACE_MS)
  await endRecorded(state)
  await stopEmbeddedPostgres(paths.postgres, environmentOf(variables))
  removeState(paths)
  print('The sandbox is stopped.')
}
