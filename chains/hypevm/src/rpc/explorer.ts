import { ServiceError } from '@causeway/core'
import { answerOf, RestClient } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { ACCOUNT, MILLISECONDS } from './fields.js'

const readDetails = answerOf(
  Type.Object({
    type: Type.String(),
    tx: Type.Optional(Type.Object({ user: ACCOUNT, time: MILLISECONDS })),
  }),
)

/** A transaction as the explorer shows it. */
export interface ExplorerTransaction {
  readonly user: string
  readonly time: number
}

/** Looks up a transaction by its hash; null where the explorer knows none, or has no answer left for today. */
export type FindByHash = (hash: string) => Promise<ExplorerTransaction | null>

/** The explorer limits lookups by day, so it is asked only where a hash is all that is known (chains.md hypevm 4). */
export const explorerAt = (url: string, timeoutMs: number): { readonly find: FindByHash; close(): void } => {
  const rest = new RestClient({ url, timeoutMs })
  const find: FindByHash = async (hash) => {
    try {
      const answer = await rest.post('/explorer', { type: 'txDetails', hash }, readDetails, { repeatable: true })
      return answer?.tx === undefined ? null : { ...answer.tx, user: answer.tx.user.toLowerCase() }
    } catch (error) {
      if (ServiceError.is(error)) return null
      throw error
    }
  }
  return { find, close: () => rest.close() }
}
