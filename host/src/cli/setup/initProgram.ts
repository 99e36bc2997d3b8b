import type { Command } from 'commander'
import { processVariables } from '../../config/environment.js'
import { parseSeconds } from '../configOption.js'
import { askLine } from './askLine.js'
import { type InitFlags, initAnswers } from './initAnswers.js'

const EXAMPLE = `
Example:
  causeway init --folder deployment --network testnet \\
    --chain sepolia --rpc sepolia=env:SEPOLIA_RPC --token sepolia=USDC \\
    --chain base-sepolia --rpc base-sepolia=env:BASE_SEPOLIA_RPC --token base-sepolia=USDC \\
    --database env:DATABASE_URL --passphrase-env KEYSTORE_PASSPHRASE --owner 0x...

A chain of your own: --own-chain harbor=31337:ETH --rpc harbor=http://127.0.0.1:8545
On a terminal, what no flag says is asked. Nothing is overwritten.`

const more = (text: string, before: readonly string[]): readonly string[] => [...before, text]

const init = async (flags: InitFlags): Promise<void> => {
  const [{ initDeployment }, { findSetups }] = await Promise.all([
    import('../../init/initDeployment.js'),
    import('../../init/describeChain.js'),
  ])
  const answers = await initAnswers(flags, {
    ask: askLine,
    publicChains: async (packages) =>
      (await findSetups(flags.folder, packages)).flatMap(({ setup }) => setup.publicChains),
  })
  await initDeployment(answers, { environment: processVariables, print: (line) => console.log(line) })
}

/** `init`: from nothing to a configuration that loads. */
export const addInitCommand = (program: Command): void => {
  program
    .command('init')
    .description(
      'Make a deployment: asks or takes flags, looks at nodes, tokens and database, makes keys, writes it down',
    )
    .option('--folder <path>', 'folder of the deployment', '.')
    .option('--network <network>', 'mainnet or testnet')
    .option('--chain <slug>', 'a public chain; may be repeated', more, [])
    .option('--own-chain <slug=id:symbol>', 'a chain that no list has; may be repeated', more, [])
    .option('--rpc <slug=url>', 'an endpoint, or <slug>=env:<variable>; may be repeated', more, [])
    .option('--token <slug=token>', 'a well-known symbol or an address; may be repeated', more, [])
    .option(
      '--balances <slug=token>',
      'currency in which wallets are owed app fees and pay for others, a named token of a chain (default: none are kept)',
    )
    .option('--database <url>', 'PostgreSQL URL, env:<variable>, or embedded')
    .option('--owner <address>', 'owner of the depositories, best a multisignature account (default: the deployer key)')
    .option(
      '--passphrase-env <variable>',
      'variable with the passphrase of the keystore (default: KEYSTORE_PASSPHRASE)',
    )
    .option('--passphrase-file <path>', 'file with it, mode 0600, in the folder; made where there is none')
    .option(
      '--price <name=dollars>',
      'a price kept in prices.json; may be repeated (default: a price server)',
      more,
      [],
    )
    .option('--package <name>', 'a further chain package; may be repeated', more, [])
    .option('--timeout <seconds>', 'how long a node may take to answer', parseSeconds, 15)
    .addHelpText('after', EXAMPLE)
    .action((flags: InitFlags) => init(flags))
}
