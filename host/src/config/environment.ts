import type { EnvironmentVariables } from '@causeway/core'

/** The variables this process was given. Whatever else in the host needs one is handed it from here. */
export const processVariables: EnvironmentVariables = process.env

/** What variables say of one run of the program, which stands in no configuration. */
export interface RunSettings {
  /** `PORT`, unchecked. */
  readonly port: string | undefined
  /** Folder of the sandbox: `CAUSEWAY_HOME`. */
  readonly sandboxHome: string
  /** Which chains a sandbox has: `CAUSEWAY_SANDBOX_CHAINS`, unchecked. */
  readonly sandboxChains: string | undefined
  /** Whether an error is shown with its stack: `CAUSEWAY_DEBUG=1`. */
  readonly showsStack: boolean
  /** Place at which the process kills itself, for tests (`armFailpoint` of core): `CAUSEWAY_FAILPOINT`. */
  readonly failpoint: string | undefined
}

/** Reads what concerns this run. */
export const runSettings = (variables: EnvironmentVariables): RunSettings => ({
  port: variables.PORT,
  sandboxHome: variables.CAUSEWAY_HOME || '.causeway',
  sandboxChains: variables.CAUSEWAY_SANDBOX_CHAINS,
  showsStack: variables.CAUSEWAY_DEBUG === '1',
  failpoint: variables.CAUSEWAY_FAILPOINT || undefined,
})
