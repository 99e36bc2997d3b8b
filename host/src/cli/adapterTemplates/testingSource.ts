/** `src/testing/index.ts` of a new chain package. */
export const TESTING = `
export { chainTesting } from './chainTesting.js'
export { startHarness } from './harness.js'
export { type LocalChain, startLocalChain } from './localChain.js'
`

/** `src/testing/localChain.ts` of a new chain package. */
export const LOCAL_CHAIN = `
import type { Json } from '@causeway/core'
import { toBeDone } from '../toBeDone.js'

/** A chain of this kind on this machine: a real node, or the ecosystem's own engine, on a free port of 127.0.0.1. */
export interface LocalChain {
  readonly url: string
  /** Account that receives deposits. */
  readonly depository: string
  /** Private keys of a user and of the solver, who hold every currency. */
  readonly keys: { readonly user: string; readonly solver: string }
  /** Sends the data of a step item as the user's wallet would; waits for the block. */
  send(data: Json): Promise<string>
  /** Includes what is pending and adds blocks. */
  advance(blocks: number): Promise<void>
  /** Of the newest block. */
  height(): Promise<number>
  close(): Promise<void>
}

/** Replace by the start of your chain. Until then nothing can happen on it. */
export const startLocalChain = async (): Promise<LocalChain> => ({
  url: 'http://127.0.0.1:9',
  depository: 'depository',
  keys: { user: '11'.repeat(32), solver: '22'.repeat(32) },
  send: async () => toBeDone('testing/localChain', 'start a local chain; send signs with a plain wallet library'),
  advance: async () => toBeDone('testing/localChain', 'start a local chain; advance adds blocks'),
  height: async () => toBeDone('testing/localChain', 'start a local chain; height returns the newest block'),
  close: async () => undefined,
})
`

/** `src/testing/chainTesting.ts` of a new chain package. */
export const CHAIN_TESTING = `
import type { CurrencyConfig } from '@causeway/core/chain'
import type { ChainAccess, ChainReader, ChainTesting, SandboxChain, TestWallet } from '@causeway/core/testing'
import { toBeDone } from '../toBeDone.js'
import { startLocalChain } from './localChain.js'

/** As \`native\` of the adapter. A group has one price: that of "eth" is an ether, that of a new word one dollar. */
const NATIVE: CurrencyConfig = { address: 'native', symbol: 'COIN', name: 'Coin', decimals: 9, groupId: '__CHAIN__' }

/** Reads the chain at its node, with a library of the ecosystem rather than with the adapter. */
const readChain = (_access: ChainAccess): ChainReader => ({
  balance: async () => toBeDone('testing/chainTesting balance', 'the balance of an account in blocks'),
  succeeded: async () => toBeDone('testing/chainTesting succeeded', 'whether a transaction is in a block and succeeded'),
  freshAddress: () => toBeDone('testing/chainTesting freshAddress', 'an unused address that can receive'),
})

/** The wallet of a user, with a library of the ecosystem. */
const openWallet = (access: ChainAccess, _walletKey: string): TestWallet => ({
  address: toBeDone('testing/chainTesting openWallet', 'the address of the key; prepare signs the data of buildDeposit'),
  chain: readChain(access),
  prepare: async () => toBeDone('testing/chainTesting prepare', 'sign the last transaction of the steps; send the others'),
})

/** Puts a deployment on the local chain: see the page local-chain.md in docs/kit of @causeway/core. */
const deploy: SandboxChain['deploy'] = async (_chain, plan) => {
  const depository = plan.allocator.address
  const deployed = { depository, options: { depository }, currencies: [NATIVE], unlisted: [] }
  // Give plan.payout what plan.solverHolds says, and each of plan.users what plan.userHolds says, in whole units.
  return toBeDone('testing/chainTesting deploy', \`fund the accounts of the plan; return \${Object.keys(deployed).join(', ')}\`)
}

/** The local chain as sandboxes and \`causeway try-adapter\` know it. */
export const chainTesting: ChainTesting = {
  vmType: '__CHAIN__vm',
  native: NATIVE,
  keyOf: () => toBeDone('testing/chainTesting keyOf', 'the account of 32 secret bytes: address, privateKey, walletKey'),
  startLocalChain: async ({ chainId }) => {
    const chain = await startLocalChain()
    return {
      chainId,
      endpoint: { http: chain.url },
      // The chain runs in this process, or ends with it.
      pid: null,
      genesisHash: async () => toBeDone('testing/chainTesting genesisHash', 'the hash of the first block of this very chain'),
      height: async () => chain.height(),
      fund: async () => toBeDone('testing/chainTesting fund', 'add an amount to an account, in a block'),
      advance: async (blocks = 1) => chain.advance(blocks),
      reorg: null,
      lag: null,
      forget: null,
      failNext: null,
      close: () => chain.close(),
    }
  },
  adoptLocalChain: async () => toBeDone('testing/chainTesting adoptLocalChain', 'the same for a chain that runs already'),
  readChain,
  openWallet,
  // 'own': the key of this chain's allocator holds what is deposited. 'shared': one key signs withdrawals on all such chains.
  sandbox: { processWord: '', allocator: 'own', hasTokens: false, deploy },
}
`

/** `src/testing/harness.ts` of a new chain package. */
export const HARNESS = `
import { environmentOf, systemClock } from '@causeway/core'
import { type ChainConfig, type ChainDeps, createSecp256k1Signer, type RpcEndpoint } from '@causeway/core/chain'
import type { ConformanceHarness } from '@causeway/core/testing'
import { __CHAIN__Adapter } from '../adapter.js'
import { toBeDone } from '../toBeDone.js'
import { startLocalChain } from './localChain.js'

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined }

/** Your local chain as the conformance kit sees it. */
export const startHarness = async (): Promise<{ readonly harness: ConformanceHarness; close(): Promise<void> }> => {
  const chain = await startLocalChain()
  const createAdapter = (rpc: readonly RpcEndpoint[]) =>
    __CHAIN__Adapter(
      { depository: chain.depository, rpcTimeoutMs: 2_000 },
      {
        config: configOf(rpc),
        clock: systemClock,
        // CAST: a logger that says nothing.
        logger: SILENT as unknown as ChainDeps['logger'],
        // Put in the variables that your options name, if they name any.
        environment: environmentOf({}),
      },
    )
  const rpc = [{ http: chain.url, provider: 'local' }]
  const adapter = createAdapter(rpc)
  const harness: ConformanceHarness = {
    versions: { adapter: '__PACKAGE__ 0.1.0', localChain: 'to be named' },
    adapter,
    rpc,
    createAdapter,
    // For ed25519: createEd25519Signer(chain.keys.solver), hex without 0x, and keyScheme 'ed25519' in src/index.ts.
    signer: createSecp256k1Signer(\`0x\${chain.keys.solver}\`),
    // Key that signs withdrawals, where the chain has them.
    allocator: null,
    user: {
      // Replace by the address of keys.user.
      address: 'user',
      send: (data) => chain.send(data),
      // sendFailing: the same, so that it is included and fails.
    },
    // Canonical ids, the native one first.
    currencies: [adapter.native.address],
    // Decimal places of the native currency, from the documentation of the chain.
    nativeDecimals: 9,
    amount: 1_000_000n,
    freshAddress: () => toBeDone('testing/harness freshAddress', 'a new address that can receive'),
    addresses: {
      valid: [],
      invalid: [{ text: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045', problem: 'foreign-network' }],
    },
    feeErrorPercent: { deposit: 50, payout: 50 },
    // How many of the newest blocks may still be replaced: confirmations.settle below. 0 and no reorg where
    // capabilities.absoluteFinality is declared.
    finalDepth: 3,
    // Height of the newest block, asked of the chain itself.
    height: () => chain.height(),
    advance: (blocks) => chain.advance(blocks),
    // Give what your chain can do: reorg, expire, smallPages, forget, strangeToken, hollowToken, lookAlikes, impossibleRecipients, hostile.
    // Declare what it cannot, with the reason: { 'deposit-reorg': 'a block is final when it is made' }.
    deviations: {},
  }
  return {
    harness,
    close: async () => {
      await adapter.stop()
      await chain.close()
    },
  }
}

const configOf = (rpc: readonly RpcEndpoint[]): ChainConfig => ({
  id: 123_456,
  slug: '__CHAIN__',
  name: '__CLASS__',
  package: '__PACKAGE__',
  rpc,
  currencies: [],
  confirmations: { fill: 1, success: 1, settle: 3, settleSeconds: 0 },
  solver: '',
  enabled: true,
  options: {},
})
`

/** `src/testing/conformance.ts` of a new chain package. */
export const CONFORMANCE = `
import { runConformance } from '@causeway/core/testing'
import { startHarness } from './harness.js'

const { harness, close } = await startHarness()
// A start that fails shows in every rule that needs the chain.
await harness.adapter.start(new AbortController().signal).catch((error: Error) => console.log(error.message))
const { failed } = await runConformance(harness, { print: (line) => console.log(line) }).finally(close)
if (failed.length > 0) {
  console.log('\\nTo be done:')
  const messages = new Map<string, string[]>()
  for (const { name, message } of failed) messages.set(message, [...(messages.get(message) ?? []), name])
  for (const [message, names] of messages) console.log(\`- \${message.replace('to be done: ', '')}  (\${names.join(', ')})\`)
}
process.exit(failed.length > 0 ? 1 : 0)
`
