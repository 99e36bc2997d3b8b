import { isDeepStrictEqual } from 'node:util'
import type { Pool } from 'pg'
import type { Json } from '../../chain/json.js'
import type { AttemptState } from '../../chain/laneAdapter.js'
import { locatorText } from '../../chain/txLocator.js'
import type { StoredAttempt, StoredPayout } from '../payoutRecord.js'

/** Where the chain says that an attempt is to be found. */
export interface LocatedAttempt {
  readonly attempt: Pick<StoredAttempt, 'txId' | 'locator'>
  readonly state: Pick<AttemptState, 'locator'>
}

/** Locators that the chain told and that are not stored yet, by transaction id. */
export const newLocators = (seen: readonly LocatedAttempt[]): ReadonlyMap<string, Json> =>
  new Map(
    seen.flatMap(({ attempt, state: { locator } }): [string, Json][] =>
      locator === undefined || locator === null || isDeepStrictEqual(locator, attempt.locator)
        ? []
        : [[attempt.txId, locator]],
    ),
  )

/** Stores locators with the attempts of a chain and on the record; one statement, none where there are none. */
export const recordLocators = async (
  pool: Pool,
  chainId: number,
  locators: ReadonlyMap<string, Json>,
): Promise<void> => {
  if (locators.size === 0) return
  const rows = [...locators].map(([id, locator]) => ({ tx_id: id, locator: locatorText(locator) }))
  await pool.query({
    name: 'attempts_locate',
    text: `with l as (
        select * from jsonb_to_recordset($2::jsonb) as l(tx_id text, locator text)
      ), shown as (
        update request_txs t set locator = l.locator from l
        where t.direction = 'out' and t.chain_id = $1 and t.tx_id = l.tx_id
      )
      update payout_attempts a set locator = l.locator from l where a.chain_id = $1 and a.tx_id = l.tx_id`,
    values: [chainId, JSON.stringify(rows)],
  })
}

/** A payout whose attempts have those locators. */
export const withLocators = (payout: StoredPayout, locators: ReadonlyMap<string, Json>): StoredPayout => ({
  ...payout,
  live: payout.live.map((attempt) => {
    const locator = locators.get(attempt.txId)
    return locator === undefined ? attempt : { ...attempt, locator }
  }),
})
