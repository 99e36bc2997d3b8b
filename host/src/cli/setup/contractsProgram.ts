import type { Command } from 'commander'
import { processVariables } from '../../config/environment.js'
import type { ContractsDeps, DeployerPlace } from '../../contracts/runContracts.js'
import { parseSeconds, requireConfig } from '../configOption.js'
import { UsageError } from '../plainError.js'
import { askYesOrNo } from './askLine.js'

interface Flags {
  readonly config?: string
  readonly chain?: string
  readonly timeout: number
  readonly yes?: boolean
  readonly deployerEnv?: string
  readonly deployerFile?: string
}

type Run = typeof import('../../contracts/runContracts.js')

const PACE = { patienceMs: 90_000, pollMs: 1_000 }

const withContracts = async <T>(
  command: Command,
  work: (run: Run, deps: ContractsDeps, deployer: DeployerPlace) => Promise<T>,
): Promise<T> => {
  const flags = command.optsWithGlobals<Flags>()
  const loaded = await requireConfig(flags.config, { readKeys: false })
  const { deployerEnv: env, deployerFile: file } = flags
  if (env !== undefined && file !== undefined) throw new UsageError('Give --deployer-env or --deployer-file, not both.')
  const deps: ContractsDeps = {
    loaded,
    folder: loaded.folder,
    environment: processVariables,
    chain: flags.chain,
    timeoutMs: flags.timeout * 1_000,
    pace: PACE,
    print: (line) => console.log(line),
    confirm: async (question) => flags.yes === true || (await askYesOrNo(question)),
  }
  const deployer = { ...(env === undefined ? {} : { env }), ...(file === undefined ? {} : { file }) }
  return work(await import('../../contracts/runContracts.js'), deps, deployer)
}

const EXAMPLE = `
Example:
  causeway contracts status
  causeway contracts deploy --chain base --deployer-env DEPLOYER_KEY
  causeway contracts verify

A deploy that was cut off goes on where it was: what was signed is in causeway.contracts.json beside the configuration.`

/** `contracts ...`: the depository and the routers of each chain. */
export const addContractsCommands = (program: Command, config: readonly [string, string]): void => {
  const contracts = program
    .command('contracts')
    .description('Contracts of the deployment: the same address on every chain that has the same owner and allocator')
    .addHelpText('after', EXAMPLE)
  const add = (name: string, description: string): Command =>
    contracts
      .command(name)
      .description(description)
      .option('--chain <slug>', 'only this chain')
      .option('--deployer-env <variable>', 'environment variable with the deployer key')
      .option('--deployer-file <path>', 'file with the deployer key, mode 0600, relative to the configuration')
      .option('--timeout <seconds>', 'how long a node may take to answer', parseSeconds, 15)
      .option(...config)
  add('deploy', 'Deploy what is lacking, give the routers their allowances, write the options; shows costs and asks')
    .option('--yes', 'do not ask')
    .action((_options: unknown, command: Command) =>
      withContracts(command, (run, deps, deployer) => run.runDeploy(deps, deployer)),
    )
  add('verify', 'Compare code, owner, allocator and allowances with what they should be; ends with 1 otherwise').action(
    async (_options: unknown, command: Command) => {
      const sound = await withContracts(command, (run, deps, deployer) => run.verifyContracts(deps, deployer))
      if (!sound) process.exitCode = 1
    },
  )
  add('status', 'Show what is there, what is lacking and what that costs; changes nothing').action(
    (_options: unknown, command: Command) =>
      withContracts(command, (run, deps, deployer) => run.contractsStatus(deps, deployer)),
  )
}
