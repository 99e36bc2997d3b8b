import { randomBytes } from 'node:crypto'
import type { Hex } from '@causeway/core'
import type { ContractWallets, RpcEndpoint, WalletAnswer } from '@causeway/core/chain'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { EvmAdapter } from '../adapter.js'
import type { EvmOptions } from '../options.js'
import { type FaultProxy, startFaultProxy } from '../testing/node/faultProxy.js'
import { deployScriptedWallets, type ScriptedWallets } from '../testing/scriptedWallets.js'
import { startTestDeployment, type TestDeployment } from '../testing/testDeployment.js'

/** A chain with a factory of contract wallets, behind a node that shows what it is asked and answers. */
export interface WalletWorld {
  readonly deployment: TestDeployment
  readonly node: FaultProxy
  readonly scripted: ScriptedWallets
  readonly adapter: EvmAdapter
  readonly owner: ReturnType<typeof newOwner>
  /** A started adapter over other endpoints or with other options; stopped with the world. */
  adapterOver(rpc: readonly RpcEndpoint[], options?: Partial<EvmOptions>): Promise<EvmAdapter>
  /** What the wallets of the adapter, or of another one, answer; by one provider unless told. */
  ask(question: Question, wallets?: ContractWallets, agreeing?: number): Promise<WalletAnswer>
  close(): Promise<void>
}

export interface Question {
  readonly wallet: string
  readonly digest: Hex
  readonly signature: Hex
}

export const newOwner = () => privateKeyToAccount(generatePrivateKey())

export const newDigest = (): Hex => `0x${randomBytes(32).toString('hex')}`

export const startWalletWorld = async (chainId: number): Promise<WalletWorld> => {
  const deployment = await startTestDeployment(chainId)
  const node = await startFaultProxy(deployment.chain.rpcUrl)
  const scripted = await deployScriptedWallets(deployment.chain)
  const started: EvmAdapter[] = []
  const adapterOver: WalletWorld['adapterOver'] = async (rpc, options = {}) => {
    const adapter = deployment.adapter({ rpc, options: { endpointCheckMs: 100, ...options } })
    started.push(adapter)
    await adapter.start(new AbortController().signal)
    return adapter
  }
  const adapter = await adapterOver([{ http: node.url }])
  return {
    deployment,
    node,
    scripted,
    adapter,
    owner: newOwner(),
    adapterOver,
    ask: (question, wallets = adapter.contractWallets, agreeing = 1) =>
      wallets.verify({ ...question, signature: question.signature.toLowerCase() as Hex }, { agreeing }),
    close: async () => {
      for (const each of started) await each.stop()
      await node.close()
      await deployment.chain.close()
    },
  }
}
