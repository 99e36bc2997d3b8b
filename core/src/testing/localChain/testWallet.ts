import type { RpcEndpoint } from '../../chain/endpoint/rpcEndpoint.js'
import type { Hex } from '../../money/hex.js'

/** A key with its address on chains of one kind. */
export interface TestKey {
  readonly address: string
  /** 32 bytes, as the host's key files hold it. */
  readonly privateKey: Hex
  /** The key as wallets of the chain take it in: the same text, or that of the ecosystem, such as Bitcoin's WIF. */
  readonly walletKey: string
}

/** Where a chain is reached by a user. */
export interface ChainAccess {
  readonly chainId: number
  readonly endpoint: RpcEndpoint
}

/** A chain as an outsider sees it: read at its node with the ecosystem's own library, so that nothing is taken on the service's word. */
export interface ChainReader {
  /** What an account holds in blocks, in the smallest unit. */
  balance(holder: string, currency: string): Promise<bigint>
  /** Whether a transaction is in a block and did what it should. */
  succeeded(transactionId: string): Promise<boolean>
  /**
   * An address nobody used before, which can receive `currency`; absent: the native one. Some chains must open an account for it, or have
   * the account say that it takes the currency.
   */
  freshAddress(currency?: string): string | Promise<string>
  /**
   * What an account has paid of the native currency for receiving what others sent, in the smallest unit, less what came along with tokens;
   * absent where receiving is free and brings nothing else.
   */
  receivingFees?(holder: string): Promise<bigint>
}

/** The steps of a quote, as clients get them (wire.md 1.4, A.5). */
export type QuoteSteps = readonly { readonly items: readonly { readonly data: unknown }[] }[]

/** Posts a signature to the operation that a step of kind `signature` names (wire.md A.4). */
export type PostSignature = (
  post: { readonly endpoint: string; readonly body: unknown },
  signature: string,
) => Promise<void>

/** A deposit, signed and not yet sent, with what came before it done. */
export interface SignedDeposit {
  /** Resolves with the id of the deposit's transaction as soon as the node has taken it. @throws Error with the refusal */
  send(): Promise<string>
  /**
   * Fees, in the smallest unit of the native currency, of the deposit and of what came before it, once all are in blocks.
   * @throws Error when one failed
   */
  feesPaid(): Promise<bigint>
}

/** What a user's wallet does with a quote, by the ecosystem's own library. */
export interface TestWallet {
  readonly address: string
  readonly chain: ChainReader
  /**
   * Sends every transaction of the steps but the last, each in a block before the next, and signs the last: the deposit.
   * @param post for wallets that sign a step before the deposit; without it such steps are left out
   * @throws Error when there is none, or one failed
   */
  prepare(steps: QuoteSteps, post?: PostSignature): Promise<SignedDeposit>
}

/** How a wallet of one chain signs a transaction of a quote, sends it, and learns its fee. */
export interface WalletWays<T, S> {
  sign(transaction: T): Promise<S>
  /** Returns the id of the transaction. */
  send(signed: S): Promise<string>
  /** Waits until the transaction is in a block. @throws Error if it failed there */
  feeOf(id: string): Promise<bigint>
}

/** Does what `TestWallet.prepare` promises, with `data` of each step read by `transactionOf`. */
export const prepareDeposit = async <T, S>(
  steps: QuoteSteps,
  transactionOf: (data: unknown) => T,
  { sign, send, feeOf }: WalletWays<T, S>,
): Promise<SignedDeposit> => {
  const transactions = steps.flatMap(({ items }) => items.map(({ data }) => transactionOf(data)))
  const ids: string[] = []
  const sendOne = async (signed: S): Promise<string> => {
    const id = await send(signed)
    ids.push(id)
    return id
  }
  const deposit = transactions.pop()
  if (deposit === undefined) throw new Error('The quote has no transaction to send')
  for (const transaction of transactions) await feeOf(await sendOne(await sign(transaction)))
  const signed = await sign(deposit)
  return {
    send: () => sendOne(signed),
    feesPaid: async () => (await Promise.all(ids.map(feeOf))).reduce((sum, fee) => sum + fee, 0n),
  }
}
