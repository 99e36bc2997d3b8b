import type { Clock } from '@causeway/core'
import {
  ActionRefusedError,
  auditActor,
  type ChainRegistry,
  type Command,
  type DatabasePool,
} from '@causeway/core/plugin'
import type { IntegratorRule } from './integratorRule.js'
import { readIntegrator, readNewRule, readText } from './ruleOptions.js'
import { putRule, readRules, removeRule } from './ruleStore.js'

export interface RuleCommandDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly chains: ChainRegistry
}

const REASON = { flags: '--reason <text>', description: 'Why; kept in the audit' } as const

const HEADINGS = [
  'rule',
  'integrator',
  'class',
  'origin',
  'destination',
  'relay bps',
  'integrator bps',
  'recipient',
  'oracle bps',
]

const sideText = (chainId: number | undefined, currency: string | undefined): string =>
  chainId === undefined ? 'any' : currency === undefined ? `${chainId}` : `${chainId}:${currency}`

const rowOf = (rule: IntegratorRule): readonly (string | number)[] => [
  rule.ruleId,
  rule.integratorId,
  rule.bucket,
  sideText(rule.originChainId, rule.originCurrency),
  sideText(rule.destinationChainId, rule.destinationCurrency),
  rule.relayFeeBps,
  rule.integratorFeeBps,
  rule.integratorFeeRecipient ?? '-',
  rule.oracleBps ?? '-',
]

const listCommand = ({ pool }: RuleCommandDeps): Command => ({
  name: 'quote-rules list',
  console: 'read',
  description: 'List the fees agreed with integrators',
  options: [
    { flags: '--integrator <id>', description: 'Only those of this integrator' },
    { flags: '--json', description: 'As JSON' },
  ],
  run: async ({ options, print }) => {
    const rules = await readRules(pool, options.integrator === undefined ? null : readIntegrator(options.integrator))
    if (options.json === true) return print(JSON.stringify(rules, null, 2))
    print(HEADINGS.join('\t'))
    for (const rule of rules) print(rowOf(rule).join('\t'))
  },
})

const setCommand = ({ pool, clock, chains }: RuleCommandDeps): Command => ({
  name: 'quote-rules set',
  console: 'action',
  description:
    'Agree fees with an integrator, instead of the platform fee of the class of a pair; replaces the rule of the same scope. The narrowest rule that covers a quote counts',
  options: [
    { flags: '--integrator <id>', description: 'Id of the integrator, from api-keys list' },
    {
      flags: '--bucket <class>',
      description: 'Only pairs of this class: bridge, stable, major, minor',
      default: 'any',
    },
    { flags: '--origin-chain <chain>', description: 'Only from this chain; id or slug' },
    { flags: '--origin-currency <address>', description: 'Only from this currency of it' },
    { flags: '--destination-chain <chain>', description: 'Only to this chain; id or slug' },
    { flags: '--destination-currency <address>', description: 'Only to this currency of it' },
    { flags: '--relay-fee-bps <bps>', description: "The solver's part of the platform fee, 0 to 1000 basis points" },
    { flags: '--integrator-fee-bps <bps>', description: "The integrator's part of it, 0 to 1000", default: '0' },
    {
      flags: '--integrator-fee-recipient <address>',
      description: 'EVM address that the part of the integrator is for',
    },
    {
      flags: '--oracle-bps <bps>',
      description:
        'Give the price of the oracle less exactly this, both fees included, and the network cost; 0 to 1000',
    },
    REASON,
  ],
  run: async ({ options, actor = auditActor(), print }) => {
    const { ruleId, replaced } = await putRule(pool, readNewRule(options, chains), { actor, now: clock.now() })
    print(
      `Rule ${ruleId} is set${replaced === null ? '' : ` in place of rule ${replaced}`}; quotes follow it within five seconds.`,
    )
  },
})

const removeCommand = ({ pool, clock }: RuleCommandDeps): Command => ({
  name: 'quote-rules remove',
  console: 'action',
  description: 'Take a rule back; quotes already given keep it',
  arguments: [{ name: 'rule', description: 'Its number, from quote-rules list', required: true }],
  options: [REASON],
  run: async ({ arguments: [rule = ''], options, actor = auditActor(), print }) => {
    if (!/^[1-9][0-9]{0,8}$/.test(rule)) throw new ActionRefusedError('Give the number as quote-rules list shows it.')
    const reason = readText(options.reason, '--reason')
    await removeRule(pool, Number(rule), { reason, actor, now: clock.now() })
    print(`Rule ${rule} is removed; quotes follow within five seconds.`)
  },
})

/** `quote-rules list`, `quote-rules set` and `quote-rules remove`. */
export const ruleCommands = (deps: RuleCommandDeps): readonly Command[] => [
  listCommand(deps),
  setCommand(deps),
  removeCommand(deps),
]
