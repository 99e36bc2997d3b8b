import type { SandboxPackage } from '@causeway/host'
import { runSandbox as run } from './runSandbox.js'
import { stopSandbox as stop } from './stopSandbox.js'
import { tryAdapter as tryOne } from './tryAdapter/tryAdapter.js'
import { payQuote as pay, signWithAccount as sign } from './wallets/sandboxCommands.js'

export { SandboxError } from './sandboxError.js'

/** Runs the sandbox until a signal: PostgreSQL, the local chains, and a host that is started again when it dies (architecture.md 7). */
export const runSandbox: SandboxPackage['runSandbox'] = run

/** Stops the sandbox of this folder: through its supervisor, or what a killed one left. */
export const stopSandbox: SandboxPackage['stopSandbox'] = stop

/** Prints the signature of an account's wallet. */
export const signWithAccount: SandboxPackage['signWithAccount'] = sign

/** Pays by the steps of a quote, as its user would. */
export const payQuote: SandboxPackage['payQuote'] = pay

/** Moves a transfer both ways between the chain of an adapter package and a chain of a sandbox of its own. */
export const tryAdapter: SandboxPackage['tryAdapter'] = tryOne
