import { base58 } from '@scure/base'
import type { Balances, Executed } from '../bank/bank.js'
import { tokenAmount } from './tokenBalances.js'

const tokensOf = ({ tokens }: Balances) =>
  tokens.map(({ accountIndex, mint, owner, program, amount, decimals }) => ({
    accountIndex,
    mint,
    owner,
    programId: program,
    uiTokenAmount: tokenAmount(amount, decimals),
  }))

const messageOf = ({ wire: { decoded } }: Executed) => {
  const { message } = decoded
  return {
    header: message.header,
    accountKeys: message.staticAccountKeys.map((key) => key.toBase58()),
    recentBlockhash: message.recentBlockhash,
    instructions: message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
      programIdIndex,
      accounts: accountKeyIndexes,
      data: base58.encode(data),
      stackHeight: 1,
    })),
    ...(message.version === 0
      ? {
          addressTableLookups: message.addressTableLookups.map(({ accountKey, writableIndexes, readonlyIndexes }) => ({
            accountKey: accountKey.toBase58(),
            writableIndexes,
            readonlyIndexes,
          })),
        }
      : {}),
  }
}

/** Status in both shapes that nodes give it. */
export const statusOf = (err: Executed['err']) => ({ err, status: err === null ? { Ok: null } : { Err: err } })

/** Answer of `getTransaction`, in JSON or base64. */
export const transactionAnswer = (executed: Executed, blockTime: number, encoding: string) => {
  const { wire, slot, err, fee, pre, post, logs, inner, units } = executed
  const signatures = wire.decoded.signatures.map((signature) => base58.encode(signature))
  return {
    slot,
    blockTime,
    version: wire.decoded.version,
    transaction:
      encoding === 'base64' ? [wire.raw.toString('base64'), 'base64'] : { signatures, message: messageOf(executed) },
    meta: {
      ...statusOf(err),
      fee,
      preBalances: pre.lamports,
      postBalances: post.lamports,
      preTokenBalances: tokensOf(pre),
      postTokenBalances: tokensOf(post),
      innerInstructions: inner,
      logMessages: logs,
      loadedAddresses: wire.loaded,
      computeUnitsConsumed: units,
      rewards: [],
    },
  }
}

/** A transaction of `getBlock` with `transactionDetails: "accounts"`. */
export const accountsAnswer = ({ wire, err, fee, pre, post }: Executed) => {
  const { message, signatures } = wire.decoded
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = message.header
  const statics = message.staticAccountKeys.length
  const loadedWritable = wire.loaded.writable.length
  const isWritable = (at: number): boolean => {
    if (at >= statics) return at < statics + loadedWritable
    if (at < numRequiredSignatures) return at < numRequiredSignatures - numReadonlySignedAccounts
    return at < statics - numReadonlyUnsignedAccounts
  }
  return {
    transaction: {
      signatures: signatures.map((signature) => base58.encode(signature)),
      accountKeys: wire.keys.map((pubkey, at) => ({
        pubkey,
        writable: isWritable(at),
        signer: at < numRequiredSignatures,
        source: at < statics ? 'transaction' : 'lookupTable',
      })),
    },
    version: wire.decoded.version,
    meta: {
      ...statusOf(err),
      fee,
      preBalances: pre.lamports,
      postBalances: post.lamports,
      preTokenBalances: tokensOf(pre),
      postTokenBalances: tokensOf(post),
    },
  }
}
