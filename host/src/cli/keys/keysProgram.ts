import type { Signer } from '@causeway/core/chain'
import { type Command, Option } from 'commander'
import { processVariables } from '../../config/environment.js'
import { requireConfig } from '../configOption.js'
import { processStreams } from '../secretInput.js'
import type { KeysDeps } from './keysActions.js'
import type { CopyTo } from './keysCopy.js'
import type { SplitTo } from './keysSplit.js'

type Actions = typeof import('./keysActions.js')

type Scheme = Signer['scheme']

interface ImportFrom {
  readonly file?: string
  readonly env?: string
  readonly scheme: Scheme
}

const schemeOption = (): Option =>
  new Option('--scheme <kind>', 'kind of key: ed25519 for chains that sign so (Solana), secp256k1 for all others')
    .choices(['secp256k1', 'ed25519'])
    .default('secp256k1')

/** Opens nothing but the configuration: signing keys can be made before there is a database, and where no host runs. */
const withKeys = async (command: Command, work: (actions: Actions, deps: KeysDeps) => unknown): Promise<void> => {
  const { config } = command.optsWithGlobals<{ readonly config?: string }>()
  const loaded = await requireConfig(config, { reader: 'operator', readKeys: false })
  const deps = {
    loaded,
    environment: processVariables,
    streams: processStreams,
    print: (line: string) => console.log(line),
  }
  await work(await import('./keysActions.js'), deps)
}

/** `keys ...`: the keystore of the configuration. A key is never on the command line, where other users see it. */
export const addKeysCommands = (program: Command, config: readonly [string, string]): void => {
  const keys = program.command('keys').description('Signing keys in the encrypted keystore of the configuration')
  keys
    .command('new')
    .description('Make a random key')
    .argument('<name>', 'name of the key in the keystore')
    .addOption(schemeOption())
    .option(...config)
    .action((name: string, { scheme }: { readonly scheme: Scheme }, command: Command) =>
      withKeys(command, (actions, deps) => actions.newKey(deps, name, scheme)),
    )
  keys
    .command('import')
    .description('Put an existing key in: from a file, a variable, a pipe, or typed unseen')
    .argument('<name>', 'name of the key in the keystore')
    .option('--file <path>', 'file with 64 hex digits, or one that keys export wrote; mode 0600')
    .option('--env <variable>', 'environment variable with 64 hex digits')
    .addOption(schemeOption())
    .option(...config)
    .action((name: string, from: ImportFrom, command: Command) =>
      withKeys(command, (actions, deps) => actions.importKey(deps, name, from)),
    )
  keys
    .command('list')
    .description('Show names, addresses and what the configuration uses each for; never a secret')
    .option('--json', 'print JSON (schemaVersion 1)')
    .option(...config)
    .action(({ json }: { readonly json?: boolean }, command: Command) =>
      withKeys(command, (actions, deps) => actions.listKeys(deps, json === true)),
    )
  keys
    .command('export')
    .description('Write a copy of one key into an encrypted file of its own; only at a terminal')
    .argument('<name>', 'name of the key in the keystore')
    .requiredOption('--out <path>', 'file to write, which must not be there yet')
    .option(...config)
    .action((name: string, to: { readonly out: string }, command: Command) =>
      withKeys(command, (actions, deps) => actions.exportKey(deps, name, to)),
    )
  keys
    .command('copy')
    .description('Put a key of the keystore into further keystores too, unseen; for one that several roles hold')
    .argument('<name>', 'name of the key in the keystore')
    .requiredOption(
      '--to <path>',
      'keystore that is there, such as keys/webhooks.json; may be repeated',
      (text: string, before: readonly string[] | undefined) => [...(before ?? []), text],
    )
    .option('--to-env <variable>', 'environment variable with their passphrase, where it is not that of the keystore')
    .option('--replace', 'where another key has that name, keep that one under another name')
    .option(...config)
    .action((name: string, to: CopyTo, command: Command) =>
      withKeys(command, async (_actions, deps) => (await import('./keysCopy.js')).copyKey(deps, name, to)),
    )
  keys
    .command('addresses')
    .description(
      'Show what chains name of the secret of deposit addresses (keys.hd), to be put into their options; nothing of it is secret',
    )
    .option(...config)
    .action((_: unknown, command: Command) =>
      withKeys(command, async (_actions, deps) => (await import('./keysAddresses.js')).showAddressOptions(deps)),
    )
  keys
    .command('split')
    .description('Make a keystore for each role, and one for commands, of the keystore that has all keys')
    .option('--out <path>', 'folder to make, which must not be there yet (default: keys, beside the keystore)')
    .option(
      '--new-env <role=variable>',
      'a passphrase of its own for api, webhooks, solver or operator; may be repeated (default: the same)',
      (text: string, before: readonly string[]) => [...before, text],
      [],
    )
    .option(...config)
    .action((to: SplitTo, command: Command) =>
      withKeys(command, async (_actions, deps) => (await import('./keysSplit.js')).splitKeys(deps, to)),
    )
  keys
    .command('change-passphrase')
    .description('Seal all keys under another passphrase')
    .option('--new-file <path>', 'file with the new passphrase, mode 0600')
    .option('--new-env <variable>', 'environment variable with the new passphrase')
    .option(...config)
    .action((to: { readonly newFile?: string; readonly newEnv?: string }, command: Command) =>
      withKeys(command, (actions, deps) => actions.changePassphrase(deps, to)),
    )
}
