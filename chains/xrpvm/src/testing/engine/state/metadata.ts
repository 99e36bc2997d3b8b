import { isDeepStrictEqual } from 'node:util'
import { isIssued } from '../amounts/amount.js'
import type { Entry } from './entries.js'
import type { Change } from './view.js'

type Fields = Readonly<Record<string, unknown>>

/** What a transaction did to one entry, as rippled tells it. */
export type AffectedNode = { readonly [kind in 'CreatedNode' | 'ModifiedNode' | 'DeletedNode']?: Fields }

/** Shown beside the fields of an entry rather than among them. */
const APART = new Set(['index', 'LedgerEntryType', 'PreviousTxnID', 'PreviousTxnLgrSeq'])

const fieldsOf = (entry: Entry): Fields =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !APART.has(name)))

const isUnset = (value: unknown): boolean => value === 0

const previousFields = (before: Fields, after: Fields): Fields =>
  Object.fromEntries(Object.entries(before).filter(([name, value]) => !isDeepStrictEqual(value, after[name])))

/** Changes that change something, each entry with the transaction that changed it last. */
export const threadChanges = (changes: readonly Change[], hash: string, ledger: number): readonly Change[] =>
  changes
    .filter(({ before, after }) => !isDeepStrictEqual(before, after))
    .map((change) => {
      const { after } = change
      if (after === undefined) return change
      return { ...change, after: { ...after, PreviousTxnID: hash, PreviousTxnLgrSeq: ledger } }
    })

/** The `AffectedNodes` of a transaction, without nodes of directories. */
export const affectedNodes = (changes: readonly Change[]): readonly AffectedNode[] => changes.map(nodeOf)

const nodeOf = ({ index, before, after, last }: Change): AffectedNode => {
  const LedgerEntryType = (after ?? before)?.LedgerEntryType
  const base = { LedgerEntryType, LedgerIndex: index }
  const named = (name: keyof AffectedNode, fields: Fields): AffectedNode => ({ [name]: { ...base, ...fields } })
  if (before === undefined) {
    const fields = Object.entries(after === undefined ? {} : fieldsOf(after))
    return named('CreatedNode', { NewFields: Object.fromEntries(fields.filter(([, value]) => !isUnset(value))) })
  }
  const { PreviousTxnID, PreviousTxnLgrSeq } = before
  const old = fieldsOf(before)
  const thread = PreviousTxnID === undefined ? {} : { PreviousTxnID, PreviousTxnLgrSeq }
  const now = fieldsOf(after ?? last ?? before)
  const PreviousFields = previousFields(old, now)
  if (after !== undefined) return named('ModifiedNode', { FinalFields: now, PreviousFields, ...thread })
  return named('DeletedNode', { FinalFields: { ...now, ...thread }, PreviousFields })
}

const ACCOUNT_FIELDS = new Set(['Account', 'Destination', 'RegularKey', 'Authorize'])

/** Accounts whose history has the transaction: those that stand in the fields of what it touched (`account_tx`). */
export const affectedAccounts = (nodes: readonly AffectedNode[]): readonly string[] => {
  const named = nodes.flatMap((node) => {
    const { NewFields, FinalFields } = Object.values(node)[0] ?? {}
    return Object.entries(Object(NewFields ?? FinalFields)).flatMap(([name, value]) => {
      if (typeof value === 'string') return ACCOUNT_FIELDS.has(name) ? [value] : []
      return isIssued(value) && name.endsWith('Limit') ? [value.issuer] : []
    })
  })
  return [...new Set(named)]
}
