import { ActionRefusedError, type Command, findAudit, type StoredAuditEntry } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'
import { readCount, readText } from '../readOptions.js'
import { labelled } from '../text/layout.js'
import { instant } from '../text/timeText.js'

const readBefore = (value: unknown): string | null => {
  if (value === undefined) return null
  if (typeof value === 'string' && /^[1-9][0-9]{0,17}$/.test(value)) return value
  throw new ActionRefusedError('Give --before the number of an entry, as the list shows it.')
}

const entryText = ({ id, at, actor, action, subject, details }: StoredAuditEntry): string[] => [
  `${id}  ${instant(at)}  ${action}`,
  ...labelled('by', actor),
  ...labelled('to', subject),
  ...(typeof details.reason === 'string' ? labelled('reason', details.reason) : []),
]

/** `causeway audit list`: what was done by hand. */
export const auditListCommand = (deps: OperatorDeps): Command => ({
  name: 'audit list',
  description: 'List what operators did by hand, newest first: who, when, to what and why',
  options: [
    { flags: '--subject <subject>', description: 'Only what was done to it, as the list names it: "deposit 12"' },
    { flags: '--limit <count>', description: 'Most entries listed', default: '50' },
    { flags: '--before <number>', description: 'Go on below the entry with this number' },
    { flags: '--json', description: 'Print JSON, its shape is in the README of this plugin' },
  ],
  console: 'read',
  run: async ({ options, print }) => {
    const limit = readCount(options.limit, '--limit', 1_000)
    const before = readBefore(options.before)
    const found = await findAudit(deps.pool, {
      limit: limit + 1,
      ...(options.subject === undefined ? {} : { subject: readText(options.subject, '--subject') }),
      ...(before === null ? {} : { before }),
    })
    const entries = found.slice(0, limit)
    const more = found.length > limit
    if (options.json === true) {
      const listed = entries.map((entry) => ({ ...entry, at: new Date(entry.at).toISOString() }))
      return print(JSON.stringify({ schemaVersion: 1, entries: listed, more }, null, 2))
    }
    if (entries.length === 0) return print('Nothing was done by hand.')
    for (const entry of entries) for (const line of entryText(entry)) print(line)
    if (more) print(`There is more: --before ${entries.at(-1)?.id}`)
  },
})
