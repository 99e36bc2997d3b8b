import { randomBytes } from 'node:crypto'
import { depositoryAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import type {
  AttemptState,
  DepositEvent,
  Payout,
  PermitForm,
  PermitKind,
  PermitTerms,
  SignedDeposits,
} from '@causeway/core/chain'
import { parseEventLogs, type TypedDataDefinition } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { EvmAdapter } from '../adapter.js'
import { recogniseDeposits } from '../deposit/recognise.js'
import { prepareAll } from '../lane/prepareAll.test.support.js'
import { CANONICAL_PERMIT2, type EvmOptions } from '../options.js'
import { encodeApprove } from '../payout/contracts/staticCall.js'
import type { RpcReceipt, RpcTransaction } from '../rpc/wire.js'
import { privateKeySigner } from '../testing/localSigner.js'
import type { LocalAccount, TestTokenKind } from '../testing/node/localChain.js'
import { placePermit2 } from '../testing/permit2.js'
import { deployScriptedWallets, type ScriptedWallets } from '../testing/scriptedWallets.js'
import { startTestDeployment, type TestDeployment } from '../testing/testDeployment.js'

export const AMOUNT = 1_000_000n

/** What the depository was told of a transaction. */
export interface Told {
  readonly from: string
  readonly token: string
  readonly amount: bigint
  readonly id: Hex
}

/** A chain with Permit2 and tokens that take permits of every kind; the user holds them, and no gas. */
export interface PermitWorld {
  readonly deployment: TestDeployment
  readonly adapter: EvmAdapter
  readonly permits: SignedDeposits
  readonly solver: LocalAccount
  readonly user: PrivateKeyAccount
  readonly wallets: ScriptedWallets
  /** A token of which `holders` have plenty. */
  token(kind: TestTokenKind, ...holders: readonly string[]): Promise<string>
  terms(kind: PermitKind, token: string, changes?: Partial<PermitTerms>): PermitTerms
  /** Lets Permit2 take a token of the user, who is lent the gas for that. */
  allowPermit2(token: string): Promise<void>
  payout(form: PermitForm, signature: Hex): Payout
  /** Through the lane: simulated, prepared, signed, broadcast, waited for. */
  pay(
    payout: Payout,
    end?: 'success' | 'reverted',
  ): Promise<{ readonly state: AttemptState; readonly guards: readonly string[]; readonly txId: string }>
  /** What the depository announced in a transaction. */
  told(txId: string): Promise<readonly Told[]>
  /** What the watcher makes of it. */
  deposits(txId: string): Promise<readonly DepositEvent[]>
  balance(token: string, owner: string): Promise<bigint>
  now(): Promise<number>
  close(): Promise<void>
}

export const newOrderId = (): Hex => `0x${randomBytes(32).toString('hex')}`

/** As a wallet signs what an item of a step asks for. */
export const signForm = ({ sign }: PermitForm, account: PrivateKeyAccount): Promise<Hex> =>
  account.signTypedData({
    domain: sign.domain,
    types: sign.types,
    primaryType: sign.primaryType,
    message: sign.value,
  } as unknown as TypedDataDefinition)

export const startPermitWorld = async (chainId: number, options: Partial<EvmOptions> = {}): Promise<PermitWorld> => {
  const deployment = await startTestDeployment(chainId)
  const { chain } = deployment
  await placePermit2(chain)
  const adapter = deployment.adapter({ options })
  await adapter.start(new AbortController().signal)
  const solver = chain.accounts[1] as LocalAccount
  const signer = privateKeySigner(solver.privateKey)
  const permits = adapter.signedDeposits as SignedDeposits
  const user = privateKeyToAccount(generatePrivateKey())
  const terms: PermitWorld['terms'] = (kind, token, changes = {}) => ({
    kind,
    owner: user.address.toLowerCase(),
    money: { currency: token, amount: AMOUNT },
    orderId: newOrderId(),
    expiresAt: Math.floor(Date.now() / 1000) + 600,
    ...changes,
  })
  const pay: PermitWorld['pay'] = async (payout, end = 'success') => {
    const simulation = await adapter.simulate(payout)
    if (!simulation.ok) throw new Error(simulation.message)
    const { position } = await adapter.lane.read(solver.address, null)
    const { prepared } = await prepareAll(adapter.lane, [{ payout, gas: simulation.gas }], position)
    const [item] = prepared
    if (item === undefined) throw new Error('Nothing was prepared')
    const attempt = await adapter.lane.sign(item, signer)
    expect(await adapter.lane.broadcast([attempt])).toEqual([{ outcome: 'known' }])
    const { txId } = attempt
    const stateOf = async () => (await adapter.lane.states([{ txId, payout }]))[0]
    await expect.poll(async () => (await stateOf())?.status).toBe(end)
    return { state: (await stateOf()) as AttemptState, guards: attempt.guards, txId }
  }
  return {
    deployment,
    adapter,
    permits,
    solver,
    user,
    wallets: await deployScriptedWallets(chain),
    token: async (kind, ...holders) => {
      const token = await chain.deployToken({ name: 'Signed Dollar', symbol: 'SUSD', decimals: 6, kind })
      for (const holder of [user.address, ...holders]) await chain.fund(holder, 10n ** 12n, token)
      return token
    },
    terms,
    allowPermit2: async (token) => {
      const [to, data] = [token, encodeApprove(CANONICAL_PERMIT2, 2n ** 256n - 1n)]
      await chain.rpc('anvil_impersonateAccount', [user.address])
      await chain.fund(user.address, 10n ** 18n)
      const hash = await chain.rpc<string>('eth_sendTransaction', [{ from: user.address, to, data }])
      await expect.poll(() => chain.rpc('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
      await chain.rpc('anvil_setBalance', [user.address, '0x0'])
    },
    payout: (form, signature) => ({
      purpose: 'origin',
      orderId: form.terms.orderId,
      from: solver.address,
      to: { address: deployment.depository },
      money: form.terms.money,
      calls: [],
      permit: { ...form, signature },
    }),
    pay,
    told: async (txId) => {
      const receipt = await chain.rpc<{ readonly logs: readonly never[] }>('eth_getTransactionReceipt', [txId])
      return parseEventLogs({ abi: depositoryAbi, logs: [...receipt.logs], eventName: 'RelayErc20Deposit' }).map(
        ({ args: { from, token, amount, id } }) => ({
          from: from.toLowerCase(),
          token: token.toLowerCase(),
          amount,
          id,
        }),
      )
    },
    deposits: async (txId) => {
      const receipt = await chain.rpc<RpcReceipt>('eth_getTransactionReceipt', [txId])
      const tx = await chain.rpc<RpcTransaction>('eth_getTransactionByHash', [txId])
      const block = { height: BigInt(receipt.blockNumber), hash: receipt.blockHash, time: 0 }
      return recogniseDeposits(receipt, tx, deployment.depository, block)
    },
    balance: async (token, owner) =>
      (await adapter.getBalances([{ address: owner, currency: token }])).amounts[0] ?? -1n,
    now: async () => {
      const { timestamp } = await chain.rpc<{ readonly timestamp: string }>('eth_getBlockByNumber', ['latest', false])
      return Number(timestamp)
    },
    close: async () => {
      await adapter.stop()
      await chain.close()
    },
  }
}
