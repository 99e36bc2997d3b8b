import type { BroadcastResult, SignedAttempt } from '@causeway/core/chain'
import { answerOf, broadcastInTurn, type Rejection, rejectedAs } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { accountOf } from '../address/addresses.js'
import { type PreparedPayment, readPrepared } from '../payout/paymentForm.js'
import { transferCallOf } from '../read/transactions.js'
import { askAccount } from '../rpc/accounts.js'
import { askBalanceOf } from '../rpc/contracts.js'
import { askInfo } from '../rpc/transactionInfos.js'
import { type Asked, askedOf, call, messageText, type TronPool } from '../rpc/tronNode.js'
import { partsOf } from './signTransaction.js'

const readAnswer = answerOf(
  Type.Object({
    result: Type.Optional(Type.Boolean()),
    code: Type.Optional(Type.String()),
    message: Type.Optional(Type.String()),
  }),
)

/** Codes of nodes that do not take a transaction, as lanes know them (api.proto of java-tron). */
const REFUSALS: ReadonlyMap<string, Rejection> = new Map([
  ['SIGERROR', 'invalid'],
  ['TOO_BIG_TRANSACTION_ERROR', 'invalid'],
  ['BANDWITH_ERROR', 'insufficient-funds'],
])

/**
 * Meaning of the answer of a node. After a code that is not named here, such as SERVER_BUSY or TAPOS_ERROR of a node that lacks the reference
 * block, the transaction may still land: the same bytes are sent again.
 */
export const broadcastResultOf = (code: string, message: string): BroadcastResult => {
  if (code === 'SUCCESS' || code === 'DUP_TRANSACTION_ERROR') return { outcome: 'known' }
  if (code === 'TRANSACTION_EXPIRATION_ERROR')
    return { outcome: 'expired', message: 'The time in which the payment may land is over.' }
  const isShort = code === 'CONTRACT_VALIDATE_ERROR' && /balance is not sufficient|no OwnerAccount/i.test(message)
  const reason = isShort ? 'insufficient-funds' : code === 'CONTRACT_VALIDATE_ERROR' ? 'invalid' : REFUSALS.get(code)
  if (reason !== undefined) return rejectedAs(reason, message === '' ? code : `${code}: ${message}`)
  return { outcome: 'unknown', message: `A node of this chain did not take the payment yet (${code}).` }
}

/** Sends one transaction to one node, once. @throws ServiceError when the node does not answer */
const send = async (asked: Asked, hex: string): Promise<BroadcastResult> => {
  const {
    result,
    code,
    message = '',
  } = await call(asked, 'wallet/broadcasthex', { transaction: hex }, readAnswer, false)
  return broadcastResultOf(result === true ? 'SUCCESS' : (code ?? 'OTHER_ERROR'), messageText(message))
}

/** Sends a payment to one node after the other until one takes it, and then to one more. */
export const broadcast = (
  { raw, transaction, txId, locator }: SignedAttempt,
  pool: TronPool,
): Promise<BroadcastResult> => {
  const payment = readPrepared(transaction)
  const [first = '', sweep] = partsOf(raw, payment.funding !== null)
  return broadcastInTurn(pool, (rest, signal) => {
    const asked = askedOf(rest, signal)
    if (sweep === undefined) return send(asked, first)
    return sendSweep(asked, { payment, funding: { id: String(locator), hex: first }, sweep: { id: txId, hex: sweep } })
  })
}

interface SweepBytes {
  readonly payment: PreparedPayment
  readonly funding: { readonly id: string; readonly hex: string }
  readonly sweep: { readonly id: string; readonly hex: string }
}

/** Funds an address and sweeps it. An address whose money is gone is not funded: the TRX would be lost on it. */
const sendSweep = async (asked: Asked, { payment, funding, sweep }: SweepBytes): Promise<BroadcastResult> => {
  if ((await askInfo(asked, sweep.id)) !== null) return { outcome: 'known' }
  if ((await askInfo(asked, funding.id)) === null) {
    if (!(await holdsMoney(asked, payment)))
      return rejectedAs('invalid', 'the deposit address no longer holds the money of the sweep')
    const funded = await send(asked, funding.hex)
    if (funded.outcome !== 'known') return funded
  }
  const swept = await send(asked, sweep.hex)
  // The funding may be on its way, and the sweep lands after it.
  return swept.outcome === 'rejected' ? { outcome: 'unknown', message: swept.message } : swept
}

const holdsMoney = async (asked: Asked, { owner, to, data, value }: PreparedPayment): Promise<boolean> => {
  const native = BigInt(value)
  if (native > 0n) return ((await askAccount(asked, owner))?.balance ?? 0n) >= native
  const amount = transferCallOf({ owner: accountOf(owner), data })?.amount ?? 0n
  return ((await askBalanceOf(asked, to, owner)) ?? 0n) >= amount
}
