import type { LocalAccount } from '@causeway/chain-evm/testing'
import { EnvironmentKeys } from '@causeway/core/host'
import type { WalletPolicy } from '@causeway/core/money-path'
import { walletCommands } from '@causeway/plugin-operator'
import type { Deployment } from '../harness/host/deployment.js'

/** `causeway wallet ...` as an operator with a key runs it, over a deployment of this process. */
export const walletDesk =
  (deployment: Deployment, { key, wallet }: { readonly key: LocalAccount; readonly wallet: WalletPolicy }) =>
  async (name: string, given: readonly string[] = [], options: Readonly<Record<string, unknown>> = {}) => {
    const commands = walletCommands({
      ...deployment,
      clock: { now: Date.now },
      withChain: (_chain, work) => work(),
      confirm: async () => false,
      network: 'testnet',
      wallet,
      keys: new EnvironmentKeys(new Map([['operator', key.privateKey]])),
    })
    const command = commands.find((item) => item.name === `wallet ${name}`)
    if (command === undefined) throw new Error(`There is no command wallet ${name}`)
    const lines: string[] = []
    await command.run({ arguments: given, options, print: (line) => lines.push(line) })
    return lines.join('\n')
  }
