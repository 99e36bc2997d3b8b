import type { Command } from 'commander'
import { processVariables } from '../../config/environment.js'
import type { AddDeps } from '../../init/addToConfig.js'
import { sourceOf } from '../../init/source.js'
import { parseSeconds, requireConfig } from '../configOption.js'
import { UsageError } from '../plainError.js'

interface Flags {
  readonly config?: string
  readonly timeout: number
  readonly rpc?: readonly string[]
  readonly token?: readonly string[]
  readonly own?: string
  readonly owner?: string
  readonly package?: readonly string[]
  readonly group?: string
}

const more = (text: string, before: readonly string[]): readonly string[] => [...before, text]

const depsOf = async ({ config, timeout }: Flags): Promise<AddDeps> => {
  const loaded = await requireConfig(config, { readKeys: false })
  const print = (line: string): void => console.log(line)
  return { loaded, folder: loaded.folder, environment: processVariables, timeoutMs: timeout * 1_000, print }
}

const ownOf = (text: string): { readonly id: number; readonly symbol: string } => {
  const [, id, symbol] = /^([1-9][0-9]{0,15}):([A-Za-z0-9]{1,12})$/.exec(text) ?? []
  if (id === undefined || symbol === undefined)
    throw new UsageError(`"${text}" is not <chain id>:<symbol of its native currency>.`)
  return { id: Number(id), symbol }
}

const addChain = async (slug: string, flags: Flags): Promise<void> => {
  const { addChain: add } = await import('../../init/addToConfig.js')
  const { rpc = [], token: tokens = [], own, owner, package: packages = [] } = flags
  const wanted = { slug, rpc: rpc.map(sourceOf), tokens, ...(own === undefined ? {} : { own: ownOf(own) }) }
  await add(wanted, { packages, owner }, await depsOf(flags))
}

const addCurrency = async (slug: string, token: string, flags: Flags): Promise<void> => {
  const { addCurrency: add } = await import('../../init/addToConfig.js')
  await add(slug, token, flags.group, await depsOf(flags))
}

/** `chains add` and `currencies add`: looked at on the chain, then written into the configuration. */
export const addChainCommands = (program: Command, config: readonly [string, string]): void => {
  program
    .command('chains')
    .description('Chains of the configuration')
    .command('add')
    .description('Look at a chain through its endpoints and write it, with a payout key, into the configuration')
    .argument('<slug>', 'a public chain, or a new name with --own')
    .option('--rpc <url>', 'an endpoint, or env:<variable>; may be repeated', more, [])
    .option('--token <token>', 'a well-known symbol or an address; may be repeated', more, [])
    .option('--own <id:symbol>', 'a chain that no list has: its id and the symbol of its native currency')
    .option('--owner <address>', 'owner of its depository (default: that of the other chains)')
    .option('--package <name>', 'a further chain package; may be repeated', more, [])
    .option('--timeout <seconds>', 'how long a node may take to answer', parseSeconds, 15)
    .option(...config)
    .action((slug: string, _options: unknown, command: Command) => addChain(slug, command.optsWithGlobals<Flags>()))
  program
    .command('currencies')
    .description('Currencies of the configuration')
    .command('add')
    .description('Look at a token on its chain and write it into the configuration')
    .argument('<chain>', 'slug of a configured chain')
    .argument('<token>', 'address, or symbol of a well-known token')
    .option('--group <id>', 'group of the same asset on other chains (default: its symbol in lower case)')
    .option('--timeout <seconds>', 'how long a node may take to answer', parseSeconds, 15)
    .option(...config)
    .action((chain: string, token: string, _options: unknown, command: Command) =>
      addCurrency(chain, token, command.optsWithGlobals<Flags>()),
    )
}
