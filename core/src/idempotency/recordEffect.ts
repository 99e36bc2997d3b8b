import type { Knex } from 'knex'
import type { Effect } from './idempotentCalls.js'

/**
 * Ties what is administered through knex to the call that asked for it, in the transaction of the change: that it was done,
 * and not what was answered. Throws where another run of the call went before.
 */
export const recordEffectIn = async (trx: Knex.Transaction, effect: Effect): Promise<void> => {
  const { text, values } = effect.statement(null)
  // knex has places without numbers.
  const bindings: unknown[] = []
  const sql = text.replace(/\$([0-9]+)/g, (_place, number: string) => {
    bindings.push(values[Number(number) - 1])
    return '?'
  })
  // CAST: what a driver takes.
  await trx.raw(sql, bindings as Knex.RawBinding[])
}
