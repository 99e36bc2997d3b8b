import { proto } from '@hiero-ledger/proto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { HederaNetwork } from './hederaNetwork.js'
import type { LedgerTx } from './ledgerTx.js'
import { evmAddressOf } from './rules/signatures.js'
import { accountIn, relationIn } from './state/entries.js'
import { accountIdOf, type Code, int64, timestampOf, tokenIdOf, transactionIdText } from './values.js'

/** A key that signs. */
export interface TestedKey {
  readonly key: proto.IKey
  sign(message: Uint8Array): proto.ISignaturePair
}

export const ecdsaKey = (): TestedKey & { readonly address: string } => {
  const { secretKey, publicKey } = secp256k1.keygen()
  return {
    ...{ key: { ECDSASecp256k1: publicKey }, address: evmAddressOf(publicKey) },
    sign: (message) => ({
      pubKeyPrefix: publicKey,
      ECDSASecp256k1: secp256k1.sign(keccak_256(message), secretKey, { prehash: false }),
    }),
  }
}

export const edwardsKey = (): TestedKey => {
  const { secretKey, publicKey } = ed25519.keygen()
  // A prefix may be shorter than the key.
  return {
    key: { ed25519: publicKey },
    sign: (message) => ({ pubKeyPrefix: publicKey.slice(0, 5), ed25519: ed25519.sign(message, secretKey) }),
  }
}

const SECOND = 1_000_000_000n
const HBAR = 100_000_000n

interface Sent {
  readonly code: Code
  readonly id: string
  /** Transactions with the id at consensus. */
  readonly txs: readonly LedgerTx[]
  readonly bytes: Uint8Array
}

interface Sending {
  readonly payer?: string
  readonly keys?: readonly TestedKey[]
  readonly node?: string
  /** Node that gets the bytes. */
  readonly at?: string
  readonly startsIn?: bigint
  /** Bytes that the keys sign; the body by default. */
  readonly message?: Uint8Array
}

/** A network without servers, and an account that pays. */
export const testedEngine = () => {
  const network = new HederaNetwork(['0.0.3', '0.0.4'], Uint8Array.of(3))
  const payerKey = ecdsaKey()
  let sent = 0n
  const open = (key: TestedKey = edwardsKey(), tinybars = 100n * HBAR, slots = 0): { id: string; key: TestedKey } => {
    const { made } = network.apply({ cryptoCreateAccount: { key: key.key, maxAutomaticTokenAssociations: slots } })
    network.fund(made.account ?? '', tinybars)
    return { id: made.account ?? '', key }
  }
  const payer = open(payerKey).id
  const send = (kind: proto.ITransactionBody, options: Sending = {}): Sent => {
    const { node = '0.0.3', at = node, keys = [payerKey], startsIn = -1n } = options
    sent += 1n
    const transactionID = {
      accountID: accountIdOf(options.payer ?? payer),
      transactionValidStart: timestampOf(network.now + startsIn * SECOND - sent),
    }
    const bodyBytes = proto.TransactionBody.encode({
      ...{ transactionID, nodeAccountID: accountIdOf(node), transactionFee: int64(20n * HBAR) },
      ...{ transactionValidDuration: { seconds: int64(120) }, ...kind },
    }).finish()
    const sigMap = { sigPair: keys.map((key) => key.sign(options.message ?? bodyBytes)) }
    const signedTransactionBytes = proto.SignedTransaction.encode({ bodyBytes, sigMap }).finish()
    const bytes = proto.Transaction.encode({ signedTransactionBytes }).finish()
    const code = network.submit(bytes, at)
    const id = transactionIdText(proto.TransactionBody.decode(bodyBytes).transactionID ?? transactionID)
    return { code, id, bytes, txs: network.known(id) ?? [] }
  }
  return {
    ...{ network, payer, payerKey, open, send },
    /** Result of a transaction at consensus, or the code with which a node refuses it. */
    result: (kind: proto.ITransactionBody, options: Sending = {}): Code => {
      const { code, txs } = send(kind, options)
      return code === 'OK' ? (txs.find(({ nonce, scheduled }) => nonce === 0 && !scheduled)?.result ?? 'UNKNOWN') : code
    },
    token: (made: proto.ITokenCreateTransactionBody = {}): string =>
      network.apply({
        tokenCreation: { name: 'T', symbol: 'T', treasury: accountIdOf(payer), initialSupply: int64(1000), ...made },
      }).made.token ?? '',
    associate: (account: string, token: string) =>
      network.apply({ tokenAssociate: { account: accountIdOf(account), tokens: [tokenIdOf(token)] } }),
    hbarOf: (id: string) => accountIn(network.open, id)?.balance,
    unitsOf: (id: string, token: string) => relationIn(network.open, id, token)?.balance,
  }
}

type Amount = readonly [account: string | Uint8Array, amount: bigint | number]

const amountsOf = (amounts: readonly Amount[]): proto.IAccountAmount[] =>
  amounts.map(([account, amount]) => ({
    accountID: typeof account === 'string' ? accountIdOf(account) : { alias: account },
    amount: int64(amount),
  }))

export const hbarTransfer = (...amounts: readonly Amount[]): proto.ITransactionBody => ({
  cryptoTransfer: { transfers: { accountAmounts: amountsOf(amounts) } },
})

export const tokenTransfer = (token: string, ...amounts: readonly Amount[]): proto.ITransactionBody => ({
  cryptoTransfer: { tokenTransfers: [{ token: tokenIdOf(token), transfers: amountsOf(amounts) }] },
})
