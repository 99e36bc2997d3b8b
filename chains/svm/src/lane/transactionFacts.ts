import type { AttemptState, Payout } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import { decodeBase58 } from '../address/base58.js'
import { MEMO_PROGRAM } from '../payout/memo/memoInstruction.js'
import type { RpcInstruction, RpcTransaction, RpcTransactionMeta } from '../rpc/wire.js'

/** Every account of a transaction, those of lookup tables too, in the order that instructions and balances use. */
export const accountsOf = ({ transaction, meta }: RpcTransaction): readonly string[] => {
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {}
  return [...transaction.message.accountKeys, ...writable, ...readonly]
}

/** Programs of the top-level instructions, in order. */
export const programsOf = (transaction: RpcTransaction): readonly string[] => {
  const accounts = accountsOf(transaction)
  return transaction.transaction.message.instructions.map(({ programIdIndex }) => accounts[programIdIndex] ?? '')
}

/** Texts of the top-level memos. */
export const memosOf = (transaction: RpcTransaction): readonly string[] => {
  const programs = programsOf(transaction)
  return transaction.transaction.message.instructions.flatMap((instruction, at) =>
    programs[at] === MEMO_PROGRAM ? [Buffer.from(bytesOf(instruction)).toString('utf8')] : [],
  )
}

const bytesOf = ({ data }: RpcInstruction): Uint8Array => decodeBase58(data) ?? new Uint8Array()

/** Lamports that an account gained; negative when it lost some. */
export const lamportsGained = (transaction: RpcTransaction, meta: RpcTransactionMeta, address: string): bigint => {
  const at = accountsOf(transaction).indexOf(address)
  return BigInt(meta.postBalances[at] ?? 0) - BigInt(meta.preBalances[at] ?? 0)
}

/** Tokens of a mint that an owner gained over all of its accounts. */
export const tokensGained = (meta: RpcTransactionMeta, owner: string, mint: string): bigint => {
  const held = (balances: RpcTransactionMeta['preTokenBalances']) =>
    balances.reduce(
      (sum, balance) =>
        balance.owner === owner && balance.mint === mint ? sum + BigInt(balance.uiTokenAmount.amount) : sum,
      0n,
    )
  return held(meta.postTokenBalances) - held(meta.preTokenBalances)
}

/** What the recipient of a payout got: of what the swap turned it into, where there is one; without the top-up. */
export const paidBy = (transaction: RpcTransaction, meta: RpcTransactionMeta, payout: Payout): bigint => {
  const { to, from, money, purpose, swap, topup = 0n } = payout
  const currency = swap?.offer.to ?? money.currency
  if (currency !== NATIVE && (swap !== undefined || to.address !== from || purpose === 'withdraw')) {
    return tokensGained(meta, to.address, currency)
  }
  // Whoever pays itself gains nothing; that it was run is all there is to see.
  if (to.address === from && purpose !== 'withdraw') return money.amount
  const gained = lamportsGained(transaction, meta, to.address) - topup
  return to.address === from ? gained + feeOf(transaction, meta, payout) : gained
}

/**
 * Everything the solver's lamports lost beyond the payment: the network's fee, and the rent it left in accounts that the
 * payment created. A withdrawal of lamports brings in what it moves. Of a sweep it is what the account really lost: less than nothing where
 * closed accounts gave it more rent than the sweep cost.
 */
export const feeOf = (transaction: RpcTransaction, meta: RpcTransactionMeta, payout: Payout): bigint => {
  const { money, purpose, to, from, swap, topup = 0n } = payout
  const lost = -lamportsGained(transaction, meta, from)
  if (meta.err !== null || purpose === 'sweep') return lost
  const ofToken = to.address === from ? lost : lost - topup
  if (money.currency !== NATIVE) return ofToken
  if (purpose === 'withdraw') return lost + money.amount
  return to.address === from && swap === undefined ? lost : ofToken - money.amount
}

/** What a mint took of the solver beyond the payment: of what it sent, or of what a withdrawal brought it. */
export const currencyFeeOf = (meta: RpcTransactionMeta, { from, to, money, purpose, swap }: Payout): bigint => {
  const inward = to.address === from && purpose !== 'withdraw' && swap === undefined
  if (money.currency === NATIVE || inward || purpose === 'sweep') return 0n
  const gained = tokensGained(meta, from, money.currency)
  return purpose === 'withdraw' ? money.amount - gained : -gained - money.amount
}

/** For the record: payer, recipient, the data of the instruction that moved the money, and the lamports moved. */
export const txDataOf = (
  transaction: RpcTransaction,
  { to, money }: Pick<Payout, 'to' | 'money'>,
): NonNullable<AttemptState['txData']> => {
  const programs = programsOf(transaction)
  const moved = transaction.transaction.message.instructions.findLast((_, at) => programs[at] !== MEMO_PROGRAM)
  const data = moved === undefined ? '' : Buffer.from(bytesOf(moved)).toString('hex')
  return {
    from: transaction.transaction.message.accountKeys[0] ?? '',
    to: to.address,
    data: `0x${data}`,
    value: money.currency === NATIVE ? money.amount.toString() : '0',
  }
}
