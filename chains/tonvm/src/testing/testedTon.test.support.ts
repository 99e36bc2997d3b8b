import { randomBytes } from 'node:crypto'
import { type Address, comment, internal, type MessageRelaxed, SendMode } from '@ton/core'
import { type KeyPair, keyPairFromSeed } from '@ton/crypto'
import { JettonMaster, JettonWallet, TonClient, TonClient4, WalletContractV5R1 } from '@ton/ton'
import { jettonMinter } from './jetton/jettons.js'
import { startLocalTon } from './node/localTon.js'

/** Nanotons of a TON. */
export const TON = 1_000_000_000n

const DOLLAR = { name: 'Dollar', symbol: 'USDC', decimals: 6 }

const MODE = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS

export interface Signing {
  readonly seqno?: number
  readonly keys?: KeyPair
  /** Unix seconds. */
  readonly timeout?: number
}

/** A local network whose blocks come on demand, with unmodified clients. */
export const startTestedTon = async () => {
  const chain = await startLocalTon({ chainId: 71_011, blockMs: 0 })
  const { http } = chain.endpoint
  const client = new TonClient({ endpoint: `${http}/api/v2/jsonRPC` })
  const client4 = new TonClient4({ endpoint: http })
  /** A wallet that is not deployed, with nanotons. */
  const wallet = async (nanotons = 100n * TON) => {
    const keys = keyPairFromSeed(randomBytes(32))
    const contract = WalletContractV5R1.create({ publicKey: keys.publicKey })
    const { address } = contract
    if (nanotons > 0n) await chain.fund(address.toRawString(), nanotons)
    const opened = client.open(contract)
    const sign = async (messages: MessageRelaxed[], { seqno, keys: other = keys, timeout }: Signing = {}) =>
      contract.createTransfer({
        ...{ messages, sendMode: MODE, secretKey: other.secretKey },
        ...{ seqno: seqno ?? (await opened.getSeqno()), ...(timeout === undefined ? {} : { timeout }) },
      })
    return {
      ...{ address, contract, keys, sign, seqno: () => opened.getSeqno() },
      /** Signs messages and submits them to the node; no block has them yet. */
      submit: async (messages: MessageRelaxed[], signing?: Signing) =>
        client.sendExternalMessage(contract, await sign(messages, signing)),
    }
  }
  return {
    ...{ chain, client, client4, wallet },
    /** Deploys a jetton. @param walletCode base64 of the code of its wallets */
    jetton: async (walletCode?: string) => {
      const metadata = { ...DOLLAR, description: randomBytes(8).toString('hex') }
      const { address, message } = jettonMinter(metadata, walletCode === undefined ? {} : { walletCode })
      await chain.apply(message)
      const master = client.open(JettonMaster.create(address))
      return {
        address,
        master,
        metadata,
        walletOf: (owner: { readonly address: Address }) => master.getWalletAddress(owner.address),
      }
    },
    balanceOf: (jettonWallet: Address) => client.open(JettonWallet.create(jettonWallet)).getBalance(),
    /** JSON of a method of API v2. */
    call: async (method: string, params: object = {}) => {
      const response = await fetch(`${http}/api/v2/jsonRPC`, {
        method: 'POST',
        body: JSON.stringify({ id: '1', jsonrpc: '2.0', method, params }),
      })
      return { status: response.status, json: await response.json() }
    },
    get: async (path: string) => {
      const response = await fetch(`${http}${path}`)
      return { status: response.status, text: await response.text() }
    },
    close: () => chain.close(),
  }
}

export type TestedTon = Awaited<ReturnType<typeof startTestedTon>>
export type TestedWallet = Awaited<ReturnType<TestedTon['wallet']>>

/** A payment with a comment that does not bounce. */
export const payment = (to: { readonly address: Address }, value: bigint, text: string): MessageRelaxed =>
  internal({ to: to.address, value, body: comment(text), bounce: false })
