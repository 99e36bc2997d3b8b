import { createHash } from 'node:crypto'
import { type Chain, withTransaction } from '@causeway/core/plugin'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'

/** Another host of this deployment was started with other settings that money depends on. */
export class ConfigDiffersError extends Error {
  override readonly name = 'ConfigDiffersError'
}

/** Settings that money depends on, by path such as `chain 8453 settle`. */
export type DeploymentFacts = ReadonlyMap<string, string>

/** One setting that this configuration and the deployment have with different values. */
export interface FactDifference {
  readonly path: string
  readonly stored: string
  readonly configured: string
}

export interface DeploymentFactsDeps {
  readonly chains: readonly Chain[]
  /** Null where this process does not hold the key. */
  allocatorOf(chain: Chain): string | null
}

/** The path of the allocator of a chain. */
export const allocatorPath = (chainId: number): string => `chain ${chainId} allocator`

/**
 * Every setting of the configuration that decides where money is received, from when on it counts, and how an amount is read. What only
 * tunes a process is left out: roles, ports, endpoints, poll times, fees, margins, prices and limits.
 */
export const deploymentFacts = ({ chains, allocatorOf }: DeploymentFactsDeps): DeploymentFacts =>
  new Map(chains.flatMap((chain) => factsOf(chain, allocatorOf(chain))))

const factsOf = ({ config, adapter }: Chain, allocator: string | null): readonly (readonly [string, string])[] => {
  const { id, slug, confirmations, quorum, currencies } = config
  const named = {
    slug,
    depository: adapter.depository,
    ...(adapter.fillContract === null ? {} : { fillContract: adapter.fillContract }),
    ...adapter.moneyAccounts,
    fill: String(confirmations.fill),
    success: String(confirmations.success),
    settle: String(confirmations.settle),
    settleSeconds: String(confirmations.settleSeconds),
    ...(quorum === undefined ? {} : { quorum: JSON.stringify(quorum) }),
  }
  return [
    ...Object.entries(named).map(([name, value]) => [`chain ${id} ${name}`, value] as const),
    ...(allocator === null ? [] : [[allocatorPath(id), allocator] as const]),
    ...currencies.flatMap(({ address, decimals, groupId }) => {
      const currency = adapter.normalizeCurrency(address) ?? address
      return [
        [`chain ${id} currency ${currency} decimals`, String(decimals)] as const,
        [`chain ${id} currency ${currency} groupId`, groupId] as const,
      ]
    }),
  ]
}

/** Short text by which configurations are compared at a glance: equal settings have an equal hash. */
export const hashOfFacts = (facts: DeploymentFacts): string =>
  createHash('sha256')
    .update(
      [...facts]
        .map(([path, value]) => `${path}=${value}\n`)
        .sort()
        .join(''),
    )
    .digest('hex')
    .slice(0, 16)

const readStored = async (db: Pool | PoolClient): Promise<DeploymentFacts> => {
  const { rows } = await db.query<{ path: string; value: string }>('select path, value from deployment_facts')
  return new Map(rows.map(({ path, value }) => [path, value]))
}

/**
 * Compares the settings of this host with those of the deployment and stores nothing. Returns those of the deployment.
 * @throws ConfigDiffersError that names every difference, unless `accept`
 */
export const compareDeployment = async (
  db: Pool | PoolClient,
  facts: DeploymentFacts,
  accept: boolean,
): Promise<DeploymentFacts> => {
  const stored = await readStored(db)
  const differences = differencesOf(facts, stored)
  if (differences.length > 0 && !accept) throw new ConfigDiffersError(refusalText(differences))
  return stored
}

/**
 * Stores the settings of this host as those of the deployment. A new chain or currency needs no consent.
 * @throws ConfigDiffersError that names every difference, unless `accept`
 */
export const claimDeployment = async (
  pool: Pool,
  facts: DeploymentFacts,
  { accept, log }: { readonly accept: boolean; readonly log: Logger },
): Promise<void> => {
  await withTransaction(pool, async (client) => {
    // Two hosts that start together must not both be the first.
    await client.query('lock table deployment_facts in share row exclusive mode')
    const stored = await compareDeployment(client, facts, accept)
    for (const difference of differencesOf(facts, stored))
      log.warn(difference, 'a setting that money depends on was accepted')
    const changed = [...facts].filter(([path, value]) => stored.get(path) !== value)
    if (changed.length === 0) return
    await client.query(
      `insert into deployment_facts (path, value) select * from unnest($1::text[], $2::text[])
       on conflict (path) do update set value = excluded.value, stored_at = now()`,
      [changed.map(([path]) => path), changed.map(([, value]) => value)],
    )
  })
  log.info({ configuration: hashOfFacts(facts) }, 'the configuration is that of this deployment')
}

/** Settings that both have, with different values. */
export const differencesOf = (facts: DeploymentFacts, stored: DeploymentFacts): readonly FactDifference[] =>
  [...facts].flatMap(([path, configured]) => {
    const known = stored.get(path)
    return known === undefined || known === configured ? [] : [{ path, stored: known, configured }]
  })

const refusalText = (differences: readonly FactDifference[]): string => {
  const named = differences.map(
    ({ path, stored, configured }) => `${path} is ${stored} in this deployment and ${configured} in this configuration`,
  )
  return `This configuration differs from the one that this deployment runs with: ${named.join('; ')}. Correct the configuration. If the change is meant, stop the other hosts, give them the new configuration, and start one with --accept-config.`
}
