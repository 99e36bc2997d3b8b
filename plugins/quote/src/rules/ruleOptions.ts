import { ActionRefusedError, type ChainRegistry } from '@causeway/core/plugin'
import { MAX_RULE_BPS, RULE_BUCKETS, type RuleBucket, type RuleScope } from './integratorRule.js'
import type { NewRule } from './ruleStore.js'

export type CommandOptions = Readonly<Record<string, unknown>>

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/
const MAX_TEXT = 500
const MAX_ID = 100

/** The text of an option that must be there. @throws ActionRefusedError */
export const readText = (value: unknown, name: string, max = MAX_TEXT): string => {
  if (typeof value !== 'string' || value.trim() === '' || value.trim().length > max) {
    throw new ActionRefusedError(`Give ${name} with 1 to ${max} characters.`)
  }
  return value.trim()
}

export const readIntegrator = (value: unknown): string => readText(value, '--integrator', MAX_ID)

/** The rule a command line describes. @throws ActionRefusedError saying what to write instead */
export const readNewRule = (options: CommandOptions, chains: ChainRegistry): NewRule => {
  const rule = {
    integratorId: readIntegrator(options.integrator),
    ...scopeOf(options, chains),
    relayFeeBps: readBps(options.relayFeeBps, '--relay-fee-bps'),
    integratorFeeBps: readBps(options.integratorFeeBps ?? '0', '--integrator-fee-bps'),
    integratorFeeRecipient: readRecipient(options.integratorFeeRecipient),
    oracleBps: options.oracleBps === undefined ? null : readBps(options.oracleBps, '--oracle-bps'),
    reason: readText(options.reason, '--reason'),
  }
  if (rule.integratorFeeBps > 0 && rule.integratorFeeRecipient === null) {
    throw new ActionRefusedError('Give --integrator-fee-recipient, who gets the integrator fee.')
  }
  const fees = rule.relayFeeBps + rule.integratorFeeBps
  if (rule.oracleBps !== null && fees > rule.oracleBps) {
    throw new ActionRefusedError(`Both fees are parts of --oracle-bps: give it at least ${fees}.`)
  }
  return rule
}

const readBucket = (value: unknown): RuleBucket => {
  const bucket = RULE_BUCKETS.find((known) => known === (value ?? 'any'))
  if (bucket === undefined) throw new ActionRefusedError(`Give --bucket one of ${RULE_BUCKETS.join(', ')}.`)
  return bucket
}

const readBps = (value: unknown, name: string): number => {
  const bps = Number(value)
  if (!/^[0-9]{1,4}$/.test(String(value)) || bps > MAX_RULE_BPS) {
    throw new ActionRefusedError(`Give ${name} a whole number of basis points from 0 to ${MAX_RULE_BPS}; 100 is 1%.`)
  }
  return bps
}

const readRecipient = (value: unknown): string | null => {
  if (value === undefined) return null
  if (typeof value !== 'string' || !EVM_ADDRESS.test(value)) {
    throw new ActionRefusedError('Give --integrator-fee-recipient an EVM address.')
  }
  return value.toLowerCase()
}

interface Side {
  readonly chainId?: number
  readonly currency?: string
}

/** One side's chain and currency, the currency in the canonical form that quotes are compared by. */
const readSide = (options: CommandOptions, side: 'origin' | 'destination', chains: ChainRegistry): Side => {
  const [chainText, currencyText] = [options[`${side}Chain`], options[`${side}Currency`]]
  if (chainText === undefined && currencyText === undefined) return {}
  if (chainText === undefined) throw new ActionRefusedError(`Give --${side}-chain together with --${side}-currency.`)
  const chain = chains.all().find(({ config }) => [String(config.id), config.slug].includes(String(chainText)))
  if (chain === undefined) throw new ActionRefusedError(`The chain ${String(chainText)} is not configured.`)
  const chainId = chain.config.id
  if (currencyText === undefined) return { chainId }
  const currency = chain.adapter.normalizeCurrency(readText(currencyText, `--${side}-currency`))
  if (currency === null) throw new ActionRefusedError(`${String(currencyText)} is no currency of ${chain.config.slug}.`)
  return { chainId, currency }
}

const scopeOf = (options: CommandOptions, chains: ChainRegistry): RuleScope => {
  const origin = readSide(options, 'origin', chains)
  const destination = readSide(options, 'destination', chains)
  return {
    bucket: readBucket(options.bucket),
    ...(origin.chainId === undefined ? {} : { originChainId: origin.chainId }),
    ...(origin.currency === undefined ? {} : { originCurrency: origin.currency }),
    ...(destination.chainId === undefined ? {} : { destinationChainId: destination.chainId }),
    ...(destination.currency === undefined ? {} : { destinationCurrency: destination.currency }),
  }
}
