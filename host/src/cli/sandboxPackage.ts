import { fileURLToPath } from 'node:url'
import type { EnvironmentVariables } from '@causeway/core'
import { processVariables, runSettings } from '../config/environment.js'
import { PackageError, PackageSource } from '../plugins/packageSource.js'

/** How a sandbox is started. */
export interface RunSandboxOptions {
  /** Its folder. */
  readonly home: string
  /** As the command line says it. */
  readonly port: number | undefined
  /** As the environment says it, unchecked. */
  readonly environmentPort: string | undefined
  /** Slugs of the chains to be made, between commas, as the environment says them, unchecked; undefined: all. */
  readonly environmentChains: string | undefined
  /** Path of the host's program, for Node to run. */
  readonly program: string
  /** Of this process. */
  readonly variables: EnvironmentVariables
}

/** How a sandbox is found, and who hears that it stopped. */
export interface StopSandboxOptions extends Pick<RunSandboxOptions, 'home' | 'variables'> {
  print(line: string): void
}

/** Which adapter package is tried, and how. */
export interface TryAdapterOptions extends Pick<RunSandboxOptions, 'program' | 'variables'> {
  /** Folder of the package. */
  readonly folder: string
  /** Time limit of each step, in milliseconds. */
  readonly stepMs: number
}

/** What the package of the sandbox exports. It is installed beside the host by who wants one: local chains are large. */
export interface SandboxPackage {
  /** Runs until a signal. */
  runSandbox(options: RunSandboxOptions): Promise<void>
  stopSandbox(options: StopSandboxOptions): Promise<void>
  /** Prints the signature of an account's wallet (EIP-191). */
  signWithAccount(
    options: Omit<StopSandboxOptions, 'variables'>,
    asked: { readonly address: string; readonly message: string },
  ): Promise<void>
  /** Pays by the steps of a quote in a file, 0 for standard input; prints the deposit's transaction. */
  payQuote(options: Omit<StopSandboxOptions, 'variables'>, file: string | 0): Promise<void>
  /** Moves a transfer both ways between the local chain of an adapter package and an EVM chain. Throws when a step fails. */
  tryAdapter(options: TryAdapterOptions): Promise<void>
}

/** The package of the sandbox is not there; the message says how to get it. */
export class SandboxMissingError extends Error {
  override readonly name = 'SandboxMissingError'
}

const NAME = '@causeway/sandbox'
const PROGRAM = fileURLToPath(new URL('../../bin/causeway.js', import.meta.url))

/** @throws SandboxMissingError when it is not installed */
export const loadSandbox = async (): Promise<SandboxPackage> => {
  try {
    // CAST: the package is of the same release line as the host (its peer dependency), and checked against this type.
    return (await new PackageSource(process.cwd()).module(NAME)) as SandboxPackage
  } catch (error) {
    if (!(error instanceof PackageError) || !error.missing) throw error
    throw new SandboxMissingError(
      `The sandbox is not installed. Run: npm install ${NAME} (or name a configuration with --config <path>).`,
    )
  }
}

/** The sandbox of this folder, until a signal. @throws SandboxMissingError, and what the sandbox throws */
export const runSandbox = async (port: number | undefined): Promise<void> => {
  const { sandboxHome: home, ...settings } = runSettings(processVariables)
  const environment = { environmentPort: settings.port, environmentChains: settings.sandboxChains }
  const sandbox = await loadSandbox()
  await sandbox.runSandbox({ home, port, ...environment, program: PROGRAM, variables: processVariables })
}

/** Stops what a sandbox left running. @throws SandboxMissingError */
export const stopSandbox = async (): Promise<void> => {
  const { sandboxHome: home } = runSettings(processVariables)
  const sandbox = await loadSandbox()
  await sandbox.stopSandbox({ home, variables: processVariables, print: (line) => console.log(line) })
}

const commandOptions = () => ({
  home: runSettings(processVariables).sandboxHome,
  print: (line: string) => console.log(line),
})

/** Prints the signature of a sandbox account over a message. @throws SandboxMissingError, and what the sandbox throws */
export const signInSandbox = async (address: string, message: string): Promise<void> => {
  const sandbox = await loadSandbox()
  await sandbox.signWithAccount(commandOptions(), { address, message })
}

/** Pays by the answer of a quote, which stands in a file or comes in. @throws SandboxMissingError, and what the sandbox throws */
export const payInSandbox = async (file: string | undefined): Promise<void> => {
  const sandbox = await loadSandbox()
  await sandbox.payQuote(commandOptions(), file ?? 0)
}

/** Tries the adapter package of a folder. @throws SandboxMissingError, and the error of the step that failed */
export const tryAdapterIn = async (folder: string, stepMs: number): Promise<void> => {
  const sandbox = await loadSandbox()
  await sandbox.tryAdapter({ folder, stepMs, program: PROGRAM, variables: processVariables })
}
