import { type ChainHalt, findChainHalts, releaseChain } from '@causeway/core/money-path'
import { ActionRefusedError, auditActor, type Command, recordAudit, withTransaction } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'
import { chainNames } from '../parked/parkedCommands.js'
import { readText } from '../readOptions.js'
import { indented } from '../text/layout.js'

const HALT_ADVICE =
  'Compare the chain with a public explorer, and its nodes with each other. When the chain stands again, raise ' +
  '"confirmations.settle" above what was replaced, let causeway ledger check tell what is gone, and release it.'

/** `causeway halts`: chains of which settled blocks were replaced. */
export const haltsCommand = (deps: OperatorDeps): Command => ({
  name: 'halts',
  console: 'read',
  description: 'Show chains whose settled blocks were replaced: nothing is paid for their deposits',
  options: [{ flags: '--json', description: 'Print JSON (schemaVersion 1)' }],
  run: async ({ options, print }) => {
    const halts = await findChainHalts(deps.pool)
    if (options.json === true) return print(haltsJson(deps, halts))
    if (halts.length === 0) return print('No chain is halted.')
    for (const halt of halts) for (const line of haltText(deps, halt)) print(line)
  },
})

const haltsJson = (deps: OperatorDeps, halts: readonly ChainHalt[]): string => {
  const shown = halts.map(({ height, replaced, haltedAt, ...halt }) => ({
    ...halt,
    chain: chainNames(deps)(halt.chainId),
    height: height.toString(),
    replaced: replaced.toString(),
    haltedAt: new Date(haltedAt).toISOString(),
  }))
  return JSON.stringify({ schemaVersion: 1, halts: shown }, null, 2)
}

const haltText = (deps: OperatorDeps, halt: ChainHalt): string[] => {
  const chain = chainNames(deps)(halt.chainId)
  return [
    `${chain}: halted since ${new Date(halt.haltedAt).toISOString()}`,
    `  ${halt.replaced} blocks up to ${halt.height} were replaced; ${halt.settle} were called final`,
    `  ${halt.requests} requests and ${halt.payouts} payouts wait`,
    ...indented(HALT_ADVICE, 2),
    `    causeway halts release ${chain} --reason "..."`,
  ]
}

/** `causeway halts release <chain>`. */
export const haltReleaseCommand = (deps: OperatorDeps): Command => ({
  name: 'halts release',
  console: 'money',
  confirmWith: 'chain',
  description: 'Let money move for deposits of a halted chain again; written to the audit',
  arguments: [{ name: 'chain', description: 'Slug or id', required: true }],
  options: [
    { flags: '--reason <text>', description: 'Why this is right; kept in the audit' },
    { flags: '--yes', description: 'Do not ask' },
  ],
  run: async ({ arguments: [name = ''], options, actor = auditActor(), print }) => {
    const reason = readText(options.reason, '--reason')
    const chainOf = chainNames(deps)
    const halt = (await findChainHalts(deps.pool)).find(
      ({ chainId }) => chainOf(chainId) === name || String(chainId) === name,
    )
    if (halt === undefined) throw new ActionRefusedError(`The chain ${name} is not halted.`)
    for (const line of haltText(deps, halt)) print(line)
    if (options.yes !== true && !(await deps.confirm(`Pay for deposits of ${chainOf(halt.chainId)} again?`))) {
      throw new ActionRefusedError('Nothing was done.')
    }
    await release(deps, halt, { reason, actor })
    print(`Released: what waited for ${chainOf(halt.chainId)} goes on.`)
  },
})

/** On whose word, and why; both are kept in the audit. */
interface Word {
  readonly reason: string
  readonly actor: string
}

const release = (deps: OperatorDeps, halt: ChainHalt, { reason, actor }: Word): Promise<void> =>
  withTransaction(deps.pool, async (client) => {
    const now = deps.clock.now()
    if (!(await releaseChain(client, halt, now))) {
      throw new ActionRefusedError(
        'The chain was reorganized deeper meanwhile, or released: look again with causeway halts.',
      )
    }
    const { chainId, height, replaced, settle, haltedAt } = halt
    await recordAudit(client, {
      at: now,
      actor,
      action: 'halts release',
      subject: `chain ${chainId}`,
      details: {
        reason,
        height: height.toString(),
        replaced: replaced.toString(),
        settle,
        haltedAt: new Date(haltedAt).toISOString(),
      },
    })
  })
