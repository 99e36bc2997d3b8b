import { ActionRefusedError, type DatabasePool, recordAudit, withTransaction } from '@causeway/core/plugin'
import type { IntegratorRule, RuleBucket, RuleScope, RuleTerms } from './integratorRule.js'

interface RuleRow {
  readonly rule_id: number
  readonly integrator_id: string
  readonly bucket: RuleBucket
  readonly origin_chain_id: bigint | null
  readonly origin_currency: string | null
  readonly destination_chain_id: bigint | null
  readonly destination_currency: string | null
  readonly relay_fee_bps: number
  readonly integrator_fee_bps: number
  readonly integrator_fee_recipient: string | null
  readonly oracle_bps: number | null
}

/** A rule to be stored, and why. */
export interface NewRule extends RuleScope, RuleTerms {
  readonly integratorId: string
  readonly reason: string
}

/** The rules of one integrator, or of all; oldest first. */
export const readRules = async (
  pool: DatabasePool,
  integratorId: string | null = null,
): Promise<readonly IntegratorRule[]> => {
  const { rows } = await pool.query<RuleRow>(
    'select * from quote_rules where $1::text is null or integrator_id = $1 order by rule_id',
    [integratorId],
  )
  return rows.map(toRule)
}

/**
 * Stores a rule in the place of that of the same integrator and scope, with its audit entry. The new one gets an id of its own:
 * records that name the old one keep their meaning.
 */
export const putRule = async (
  pool: DatabasePool,
  { reason, ...rule }: NewRule,
  { actor, now }: { readonly actor: string; readonly now: number },
): Promise<{ readonly ruleId: number; readonly replaced: number | null }> =>
  withTransaction(pool, async (client) => {
    // Two operators at once: the second replaces what the first has stored.
    await client.query('lock table quote_rules in share row exclusive mode')
    const scope = [
      rule.integratorId,
      rule.bucket,
      rule.originChainId ?? null,
      rule.originCurrency ?? null,
      rule.destinationChainId ?? null,
      rule.destinationCurrency ?? null,
    ]
    const { rows: old } = await client.query<{ rule_id: number }>(
      `delete from quote_rules where integrator_id = $1 and bucket = $2 and origin_chain_id is not distinct from $3
         and origin_currency is not distinct from $4 and destination_chain_id is not distinct from $5
         and destination_currency is not distinct from $6 returning rule_id`,
      scope,
    )
    const { rows } = await client.query<{ rule_id: number }>(
      `insert into quote_rules (integrator_id, bucket, origin_chain_id, origin_currency, destination_chain_id,
         destination_currency, relay_fee_bps, integrator_fee_bps, integrator_fee_recipient, oracle_bps, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, to_timestamp($11 / 1000.0)) returning rule_id`,
      [...scope, rule.relayFeeBps, rule.integratorFeeBps, rule.integratorFeeRecipient, rule.oracleBps, now],
    )
    const ruleId = rows[0]?.rule_id
    if (ruleId === undefined) throw new Error('PostgreSQL stored a rule and gave no id.')
    const replaced = old[0]?.rule_id ?? null
    await recordAudit(client, {
      at: now,
      actor,
      action: 'quote-rules set',
      subject: `quote rule ${ruleId}`,
      details: { reason, replaced, ...rule },
    })
    return { ruleId, replaced }
  })

/** Removes a rule, with its audit entry. @throws ActionRefusedError when there is none of this id */
export const removeRule = async (
  pool: DatabasePool,
  ruleId: number,
  { reason, actor, now }: { readonly reason: string; readonly actor: string; readonly now: number },
): Promise<void> =>
  withTransaction(pool, async (client) => {
    const { rows } = await client.query<RuleRow>('delete from quote_rules where rule_id = $1 returning *', [ruleId])
    const [row] = rows
    if (row === undefined) {
      throw new ActionRefusedError(`There is no rule ${ruleId}; causeway quote-rules list shows those there are.`)
    }
    await recordAudit(client, {
      at: now,
      actor,
      action: 'quote-rules remove',
      subject: `quote rule ${ruleId}`,
      details: { reason, ...toRule(row) },
    })
  })

const toRule = (row: RuleRow): IntegratorRule => ({
  ruleId: row.rule_id,
  integratorId: row.integrator_id,
  bucket: row.bucket,
  ...(row.origin_chain_id === null ? {} : { originChainId: Number(row.origin_chain_id) }),
  ...(row.origin_currency === null ? {} : { originCurrency: row.origin_currency }),
  ...(row.destination_chain_id === null ? {} : { destinationChainId: Number(row.destination_chain_id) }),
  ...(row.destination_currency === null ? {} : { destinationCurrency: row.destination_currency }),
  relayFeeBps: row.relay_fee_bps,
  integratorFeeBps: row.integrator_fee_bps,
  integratorFeeRecipient: row.integrator_fee_recipient,
  oracleBps: row.oracle_bps,
})
