import { setMaxListeners } from 'node:events'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Chain, ChainRegistry } from '../chain/chainRegistry.js'
import type { Clock } from '../clock/clock.js'
import { pause } from '../database/leases.js'
import type { Counter, Metrics } from '../telemetry/metrics.js'
import {
  clearForgottenAlerts,
  clearProviderAlert,
  PROVIDER_ALERT_KINDS,
  type ProviderAlert,
  raiseProviderAlert,
} from './providerAlerts.js'
import { hasQuorum, neededProviders, trustedProviders } from './quorumTiers.js'

const CHECK_MS = 1_000
/** How often what still holds is written again, well below the time after which an alert is forgotten. */
const REPEAT_MS = 30_000

export interface ProviderWatchDeps {
  readonly pool: Pool
  readonly chains: ChainRegistry
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
}

/** Tells operators and the other processes what is wrong with the providers, as this process sees them. */
export class ProviderWatch {
  readonly #deps: ProviderWatchDeps
  readonly #alerts: Counter<{ readonly chain: readonly string[]; readonly kind: readonly string[] }>
  /** What this process has raised and not cleared, and when it last said so. */
  readonly #standing = new Map<string, { readonly alert: ProviderAlert; readonly at: number }>()

  #tidiedAt = Number.NEGATIVE_INFINITY

  constructor(deps: ProviderWatchDeps) {
    this.#deps = deps
    this.#alerts = deps.metrics.counter({
      name: 'causeway_provider_alerts_total',
      help: 'Alerts about providers that opened: they disagree, one is not trusted, too few are left',
      labels: { chain: deps.chains.all().map(({ config }) => config.slug), kind: PROVIDER_ALERT_KINDS },
    })
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = new AbortController()
    // One listener for each chain, which may be many.
    setMaxListeners(0, stop.signal)
    this.#listen(stop.signal)
    try {
      while (!signal.aborted) {
        await this.check()
        await pause(CHECK_MS, signal)
      }
    } finally {
      stop.abort()
    }
  }

  #listen(signal: AbortSignal): void {
    const { chains, log } = this.#deps
    for (const { config, adapter } of chains.all()) {
      adapter.onDisagreement?.((disagreement) => {
        this.#raise({ chainId: config.id, kind: 'providers-disagree', ...disagreement }).catch((error: unknown) =>
          log.error(
            { chainId: config.id, ...disagreement, err: error },
            'providers disagree, and it could not be stored',
          ),
        )
      }, signal)
    }
  }

  /** Compares the state of every endpoint with what was said before. */
  async check(): Promise<void> {
    const { chains, pool, clock } = this.#deps
    const current = new Map(
      chains
        .all()
        .flatMap(findTrouble)
        .map((alert) => [keyOf(alert), alert]),
    )
    for (const [key, alert] of current) {
      const said = this.#standing.get(key)
      if (said !== undefined && performance.now() - said.at < REPEAT_MS) continue
      await this.#raise(alert)
      this.#standing.set(key, { alert, at: performance.now() })
    }
    for (const [key, { alert }] of this.#standing) {
      if (current.has(key)) continue
      await clearProviderAlert(pool, alert, clock.now())
      this.#standing.delete(key)
    }
    if (performance.now() - this.#tidiedAt < REPEAT_MS) return
    this.#tidiedAt = performance.now()
    await clearForgottenAlerts(pool, clock.now())
  }

  async #raise(alert: ProviderAlert): Promise<void> {
    const { pool, chains, clock, log } = this.#deps
    if (!(await raiseProviderAlert(pool, alert, clock.now()))) return
    log.error(alert, TEXTS[alert.kind])
    this.#alerts.add({ chain: chains.get(alert.chainId).config.slug, kind: alert.kind })
  }
}

const TEXTS = {
  'providers-disagree': 'providers disagree',
  'endpoint-distrusted': 'an endpoint is not trusted any more',
  'quorum-lost': 'too few providers can be trusted: no money decisions and no quotes on this chain',
} as const

const keyOf = ({ chainId, kind, subject }: ProviderAlert): string => `${chainId}:${kind}:${subject}`

const findTrouble = (chain: Chain): ProviderAlert[] => {
  const chainId = chain.config.id
  const distrusted = (chain.adapter.endpoints?.() ?? []).filter(({ state }) => state === 'distrusted')
  const alerts = distrusted.map(({ name, reason }): ProviderAlert => {
    return { chainId, kind: 'endpoint-distrusted', subject: name, details: reason ?? '' }
  })
  if (hasQuorum(chain)) return alerts
  const details = `${trustedProviders(chain)} providers can be trusted, ${neededProviders(chain.config)} are needed`
  return [...alerts, { chainId, kind: 'quorum-lost', subject: chain.config.slug, details }]
}
