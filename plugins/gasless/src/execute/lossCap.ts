import { type DatabaseClient, formatUsd, type Usd } from '@causeway/core/plugin'
import { refuse } from './executeInput.js'

export interface LossCaps {
  /** Of one key and day. */
  readonly key: Usd
  /** Of all keys together. */
  readonly total: Usd
}

/** The row of all keys; no key has this id. */
const ALL = ''
const KEEP_DAYS = 31

const TAKE = {
  name: 'gasless_loss_taken',
  text: `insert into gasless_losses as l (day, api_key_id, usd)
    select (to_timestamp($1 / 1000.0) at time zone 'utc')::date, $2, $3::numeric where $3::numeric <= $4::numeric
    on conflict (day, api_key_id) do update set usd = l.usd + excluded.usd where l.usd + excluded.usd <= $4::numeric
    returning xmax = 0 as fresh`,
}

/**
 * Counts what a call is expected to cost us, in the caller's transaction: who comes at the same time waits for it. Throws HttpError 400 at a cap,
 * and the transaction is to be given up.
 */
export const takeLoss = async (
  client: DatabaseClient,
  { apiKeyId, usd, caps }: { readonly apiKeyId: string; readonly usd: Usd; readonly caps: LossCaps },
  now: number,
): Promise<void> => {
  const isTaken = async (key: string, cap: Usd) => {
    const values = [now, key, usd.toString(), cap.toString()]
    const { rows } = await client.query<{ fresh: boolean }>({ ...TAKE, values })
    if (key === ALL && rows[0]?.fresh === true) await forgetOld(client, now)
    return rows.length > 0
  }
  if (!(await isTaken(apiKeyId, caps.key))) throw capReached(`of $${formatUsd(caps.key)} a day for calls of this key`)
  if (!(await isTaken(ALL, caps.total))) throw capReached('for calls of all keys today')
}

const capReached = (what: string) =>
  refuse(
    `Nobody pays for this call: its cost would pass the cap ${what}. Use subsidizeFees with a funded wallet, or a quote with originGasOverhead.`,
  )

const forgetOld = async (client: DatabaseClient, now: number): Promise<void> => {
  await client.query(
    `delete from gasless_losses where day < (to_timestamp($1 / 1000.0) at time zone 'utc')::date - ${KEEP_DAYS}`,
    [now],
  )
}
