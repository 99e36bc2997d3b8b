import type { Diagnosis } from '@causeway/core/chain'
import type { Role } from '@causeway/core/plugin'
import { Command } from 'commander'
import { HOST_VERSION } from '../application/hostVersion.js'
import { addBackupCommands } from '../backup/backupProgram.js'
import { chooseConfig, parsePort, parseRole, parseSeconds, requireConfig, requireConfigPath } from './configOption.js'
import { addKeysCommands } from './keys/keysProgram.js'
import { addChainCommands } from './setup/addProgram.js'
import { addContractsCommands } from './setup/contractsProgram.js'
import { addInitCommand } from './setup/initProgram.js'

const EXAMPLES = `
Examples:
  causeway start                              the sandbox: database, local chains, funded accounts
  CAUSEWAY_SANDBOX_CHAINS=harbor,fjord causeway start
                                              a sandbox of these chains alone
  causeway start --config causeway.config.ts  a deployment
  causeway start --role solver                one process that only pays out
  causeway init --help                        from nothing to a configuration that loads
  causeway contracts deploy                   the contracts of every chain, its costs shown first
  causeway doctor                             what is wrong, and what to do about it
  causeway migrate                            bring the database up to date before a start
  causeway backup /backups/monday.dump        what the database holds, while hosts work
  causeway create-adapter causeway-chain-acme
                                              a package that adds a chain, ready to be filled in
  causeway try-adapter causeway-chain-acme    a transfer to and from the chain of a package, on a live host
  causeway create-plugin causeway-plugin-acme
                                              a package that is a working plugin, to build on
  causeway keys new base-payout               a signing key in the encrypted keystore
  causeway api-keys create --integrator acme --label production

  causeway parked list                        deposits that wait for an operator
  causeway parked --help                      the commands of a group

Commands need the database and no signing key; api-keys, integrators and dashboard need the master key. --role runs one with
the keys of that role, as its host holds them.`

interface StartFlags {
  readonly config?: string
  readonly role?: readonly (Role | 'all')[]
  readonly port?: number
  readonly acceptConfig?: boolean
}

const start = async ({ config, role, port, acceptConfig = false }: StartFlags): Promise<void> => {
  const configPath = chooseConfig(config)
  if (configPath === undefined) {
    const { runSandbox } = await import('./sandboxPackage.js')
    await runSandbox(port)
    return
  }
  const { startHost } = await import('../application/startHost.js')
  await startHost({ configPath, roles: role, port, acceptConfig, signalHandling: true })
}

const migrate = async ({ config }: { readonly config?: string }): Promise<void> => {
  const { runMigrations } = await import('./runMigrations.js')
  // It signs nothing, so it needs no key.
  await runMigrations(await requireConfig(config, { readKeys: false }))
}

const doctor = async ({ config, role, json, timeout }: DoctorFlags): Promise<void> => {
  const [{ runDoctor }, { findingText, summaryText }] = await Promise.all([
    import('../doctor/runDoctor.js'),
    import('../doctor/doctorText.js'),
  ])
  const configPath = requireConfigPath(config)
  const print =
    json === true ? () => undefined : (finding: Diagnosis) => console.log(findingText(finding, process.stdout.isTTY))
  const findings = await runDoctor({ configPath, roles: role, timeoutMs: timeout * 1_000, onFinding: print })
  console.log(json === true ? JSON.stringify({ schemaVersion: 1, findings }, null, 2) : `\n${summaryText(findings)}`)
  if (findings.some(({ state }) => state === 'fault')) process.exitCode = 1
}

const showConfig = async ({ config, json }: { readonly config?: string; readonly json?: boolean }): Promise<void> => {
  const [{ loadConfig }, { configShowCommand }] = await Promise.all([
    import('../config/loadConfig.js'),
    import('../application/hostCommands.js'),
  ])
  // Its secrets are not shown, so they are not read.
  const loaded = await loadConfig(requireConfigPath(config), { reader: 'doctor', readKeys: false })
  await configShowCommand(loaded).run({ arguments: [], options: { json }, print: (line) => console.log(line) })
}

const stopSandbox = async (): Promise<void> => {
  const { stopSandbox: stop } = await import('./sandboxPackage.js')
  await stop()
}

const payQuote = async (file: string | undefined): Promise<void> => {
  const { payInSandbox } = await import('./sandboxPackage.js')
  await payInSandbox(file)
}

const signMessage = async (address: string, message: string): Promise<void> => {
  const { signInSandbox } = await import('./sandboxPackage.js')
  await signInSandbox(address, message)
}

/** Without a further word there is only its help, where there is a sandbox at all. */
const explainSandbox = async (command: Command): Promise<void> => {
  const { loadSandbox } = await import('./sandboxPackage.js')
  await loadSandbox()
  command.help({ error: true })
}

const newAdapter = async (
  name: string,
  flags: { readonly folder?: string; readonly family?: string; readonly packages?: string },
): Promise<void> => {
  const { createAdapter } = await import('./createAdapter.js')
  const { folder, family, packages } = flags
  createAdapter({ name, folder, family, packages, print: (line) => console.log(line) })
}

const tryAdapter = async (folder: string, { timeout }: { readonly timeout: number }): Promise<void> => {
  const { tryAdapterIn } = await import('./sandboxPackage.js')
  await tryAdapterIn(folder, timeout * 1_000)
}

const newPlugin = async (
  name: string,
  { folder, packages }: { readonly folder?: string; readonly packages?: string },
): Promise<void> => {
  const { createPlugin } = await import('./createPlugin.js')
  createPlugin({ name, folder, packages, print: (line) => console.log(line) })
}

interface DoctorFlags {
  readonly config?: string
  readonly role?: readonly (Role | 'all')[]
  readonly json?: boolean
  readonly timeout: number
}

const FOLDER = ['--folder <path>', 'empty or new folder to write to (default: one of that name here)'] as const
const PACKAGES = [
  '--packages <path>',
  'folder of packed packages of Causeway to depend on, until they are on the registry (npm run packages)',
] as const
const ROLE = ['--role <role>', 'api, watcher, solver, webhooks or all; may be repeated'] as const
const CONFIG = ['--config <path>', 'configuration file (default: causeway.config.ts or .json here)'] as const

/** The command line with the host's own words; those of plugins are added where a configuration is at hand. */
export const createProgram = (): Command => {
  const program = new Command('causeway')
    .description('Moves value across chains: quote, deposit, fill, or the money back.')
    .version(HOST_VERSION, '-v, --version')
    .option(...CONFIG)
    .option(...ROLE, parseRole)
    .showSuggestionAfterError()
    .showHelpAfterError('Run "causeway --help" for what there is.')
    .addHelpText('after', EXAMPLES)
  program
    .command('start')
    .description('Start a host; without any configuration, the sandbox')
    .option(...CONFIG)
    .option(...ROLE, parseRole)
    .option('--port <port>', 'port to listen on (default: PORT, else 3000)', parsePort)
    .option(
      '--accept-config',
      'take settings that money depends on from this configuration where the database has others',
    )
    .action((_options: unknown, command: Command) => start(command.optsWithGlobals()))
  program
    .command('migrate')
    .description('Bring the database to this version and end')
    .option(...CONFIG)
    .action((_options: unknown, command: Command) => migrate(command.optsWithGlobals()))
  program
    .command('doctor')
    .description('Look at everything a deployment needs and say what is wrong; changes nothing')
    .option(...CONFIG)
    .option('--role <role>', 'look as the host of this role: its keys must be here; may be repeated', parseRole)
    .option('--json', 'print one JSON object instead of lines')
    .option('--timeout <seconds>', 'how long an endpoint may take to show a block', parseSeconds, 15)
    .action((_options: unknown, command: Command) => doctor(command.optsWithGlobals()))
  program
    .command('config')
    .description('The configuration')
    .command('show')
    .description('Show the configuration in force, defaults filled in, without keys, passwords and whole URLs')
    .option(...CONFIG)
    .option('--json', 'print it in an object with schemaVersion 1')
    .action((_options: unknown, command: Command) => showConfig(command.optsWithGlobals()))
  const sandbox = program
    .command('sandbox')
    .description('The sandbox of this folder')
    .action((_options: unknown, command: Command) => explainSandbox(command))
  sandbox
    .command('stop')
    .description('Stop a sandbox that was left running, with its database and chains')
    .action(stopSandbox)
  sandbox
    .command('pay')
    .description(
      'Pay by the answer of POST /quote, as its user, an account of the sandbox, would; prints the transaction',
    )
    .argument('[file]', 'where the answer stands (default: it comes in)')
    .action(payQuote)
  sandbox
    .command('sign')
    .description('Print the signature of an account of the sandbox over a message, as a wallet signs it (EIP-191)')
    .argument('<address>', 'of the account, on an EVM chain')
    .argument('<message>', 'text, or 32 bytes in hex')
    .action(signMessage)
  program
    .command('create-adapter')
    .description('Write a package that adds a chain, with a conformance run that says what is to be done')
    .argument('<name>', 'name of the npm package, such as causeway-chain-acme')
    .option(
      '--family <family>',
      'account (sequence and expiry), utxo or contract: wired to the parts of the chain kit; example: a whole small chain that passes the kit (default: a skeleton without parts of the chain kit)',
    )
    .option(...FOLDER)
    .option(...PACKAGES)
    .action(newAdapter)
  program
    .command('try-adapter')
    .description(
      'Run an adapter package and its local chain in a sandbox, and move a transfer to and from its chain, step by step',
    )
    .argument('<folder>', 'of the package, built')
    .option('--timeout <seconds>', 'time limit of each step', parseSeconds, 60)
    .action(tryAdapter)
  program
    .command('create-plugin')
    .description('Write a package that is a small working plugin, with tests that run it alone')
    .argument('<name>', 'name of the npm package, such as causeway-plugin-acme')
    .option(...FOLDER)
    .option(...PACKAGES)
    .action(newPlugin)
  addKeysCommands(program, CONFIG)
  addBackupCommands(program, CONFIG)
  addInitCommand(program)
  addChainCommands(program, CONFIG)
  addContractsCommands(program, CONFIG)
  return program
}
