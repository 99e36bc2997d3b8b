import { smaller } from '@causeway/core'
import type { ChainMoney } from '@causeway/core/chain'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { MAX_AMOUNT, parseIssuedValue } from '../address/amounts.js'
import { isNative, issuedText, normalizeCode } from '../address/currencies.js'
import { DROPS, memberOf } from '../rpc/fields.js'
import type { LedgerTransaction, TransactionMeta } from './transactions.js'

const issued = Type.Object({ currency: Type.String(), value: Type.String() })
const side = Type.Object({ issuer: Type.String() })

const lineSchema = Type.Object({
  LedgerEntryType: Type.Literal('RippleState'),
  fields: Type.Object({ Balance: issued, LowLimit: side, HighLimit: side }),
  before: Type.Optional(Type.Object({ Balance: Type.Optional(issued) })),
  isNew: Type.Boolean(),
})

const rootSchema = Type.Object({
  LedgerEntryType: Type.Literal('AccountRoot'),
  fields: Type.Object({ Account: Type.String(), Balance: DROPS }),
  before: Type.Optional(Type.Object({ Balance: Type.Optional(DROPS) })),
  isNew: Type.Boolean(),
})

/** Entries of the ledger that a transaction made or changed, as they were after it and before. */
const entriesOf = ({ AffectedNodes }: TransactionMeta): readonly unknown[] =>
  AffectedNodes.flatMap((node) => {
    const created = memberOf(node, 'CreatedNode')
    const changed = created ?? memberOf(node, 'ModifiedNode') ?? memberOf(node, 'DeletedNode')
    if (changed === undefined) return []
    return [
      {
        LedgerEntryType: memberOf(changed, 'LedgerEntryType'),
        fields: memberOf(changed, created === undefined ? 'FinalFields' : 'NewFields'),
        before: memberOf(changed, 'PreviousFields') ?? {},
        isNew: created !== undefined,
      },
    ]
  })

/**
 * By how much the balances of an account at the issuers it trusts went up or down, where they did: what it had in smallest units
 * after, less what it had before.
 */
export const lineChanges = (meta: TransactionMeta, account: string): readonly ChainMoney[] =>
  entriesOf(meta).flatMap((entry) => {
    if (!Value.Check(lineSchema, entry)) return []
    const { fields, before, isNew } = entry
    const [low, high] = [fields.LowLimit.issuer, fields.HighLimit.issuer]
    if (account !== low && account !== high) return []
    const code = normalizeCode(fields.Balance.currency)
    const after = parseIssuedValue(fields.Balance.value)
    const was = isNew ? 0n : parseIssuedValue((before?.Balance ?? fields.Balance).value)
    if (code === null || after === null || was === null || after === was) return []
    // The balance is that of the low account.
    const change = account === low ? after - was : was - after
    const currency = issuedText({ code, issuer: account === low ? high : low })
    return [{ currency, amount: smaller(change, MAX_AMOUNT) }]
  })

/** By how many drops the balance of an account went up or down, the fee of its own transaction included. */
export const dropsChange = (meta: TransactionMeta, account: string): bigint => {
  for (const entry of entriesOf(meta)) {
    if (!Value.Check(rootSchema, entry) || entry.fields.Account !== account) continue
    const after = BigInt(entry.fields.Balance)
    return after - (entry.isNew ? 0n : BigInt(entry.before?.Balance ?? after))
  }
  return 0n
}

/**
 * The amount that a transaction brought an account in a currency; below 0, the amount that it took. The network's fee is not counted. Null
 * where it is in no validated ledger, or failed.
 */
export const gainOf = (
  { signed, validated }: LedgerTransaction,
  { address, currency }: { readonly address: string; readonly currency: string },
): bigint | null => {
  if (validated === null || validated.meta.TransactionResult !== 'tesSUCCESS') return null
  const { meta } = validated
  if (isNative(currency)) return dropsChange(meta, address) + (signed.Account === address ? BigInt(signed.Fee) : 0n)
  return lineChanges(meta, address)
    .filter((change) => change.currency === currency)
    .reduce((sum, { amount }) => sum + amount, 0n)
}

/** Whether a transaction created an account: before it the account neither sent nor got anything. */
export const createsAccount = ({ validated }: LedgerTransaction, account: string): boolean =>
  validated?.meta.AffectedNodes.some((node) => {
    const created = memberOf(node, 'CreatedNode')
    const isAccount = memberOf(created, 'LedgerEntryType') === 'AccountRoot'
    return isAccount && memberOf(memberOf(created, 'NewFields'), 'Account') === account
  }) === true
