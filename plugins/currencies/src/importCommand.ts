import { readFile } from 'node:fs/promises'
import type { Clock } from '@causeway/core'
import { type ChainRegistry, type Command, withKnex } from '@causeway/core/plugin'
import type { Knex } from 'knex'
import type { Pool } from 'pg'
import { currencyKey } from './catalogueCurrency.js'
import { type ImportRow, readImport } from './readImport.js'

export interface ImportCommandDeps {
  readonly pool: Pool
  readonly chains: ChainRegistry
  readonly clock: Clock
}

const BATCH = 500
const MAX_SHOWN = 100

const toRow = (row: ImportRow, updatedAt: Date) => ({
  chain_id: String(row.chainId),
  address: row.address,
  symbol: row.symbol,
  name: row.name,
  decimals: row.decimals,
  vm_type: row.vmType,
  // Without a group it is an asset of its own: a symbol alone proves nothing.
  group_id: row.groupID ?? currencyKey(row.chainId, row.address),
  logo_uri: row.metadata?.logoURI ?? '',
  verified: row.metadata?.verified ?? false,
  is_native: row.metadata?.isNative ?? false,
  listed: row.default ?? false,
  deposit_address: row.depositAddress ?? false,
  symbol_key: row.symbol.toLowerCase(),
  name_key: row.name.toLowerCase(),
  address_key: row.address.toLowerCase(),
  updated_at: updatedAt,
})

/** Writes the rows in batches within one transaction; a row that is there already is replaced. */
const store = async (
  db: Knex,
  rows: readonly ImportRow[],
  updatedAt: Date,
  print: (line: string) => void,
): Promise<void> => {
  const { CurrencyModel } = await import('./currencyModel.js')
  await db.transaction(async (trx) => {
    for (let at = 0; at < rows.length; at += BATCH) {
      const batch = rows.slice(at, at + BATCH).map((row) => toRow(row, updatedAt))
      await CurrencyModel.query(trx).insert(batch).onConflict(['chain_id', 'address']).merge()
      print(`${Math.min(at + BATCH, rows.length)} of ${rows.length}`)
    }
  })
}

const readJson = async (file: string): Promise<unknown> => {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(`${file} cannot be read.`, { cause: error })
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${file} is not JSON.`, { cause: error })
  }
}

/** `currencies import <file>`: all of the file or, when anything in it is wrong, none of it. */
export const importCommand = ({ pool, chains, clock }: ImportCommandDeps): Command => ({
  name: 'currencies import',
  description: 'Add currencies to the catalogue, or replace them, from a JSON file',
  arguments: [{ name: 'file', description: 'JSON array of currencies', required: true }],
  run: async ({ arguments: [file = ''], print }) => {
    const { rows, problems } = readImport(chains, await readJson(file))
    if (problems.length > 0) {
      for (const problem of problems.slice(0, MAX_SHOWN)) print(problem)
      if (problems.length > MAX_SHOWN) print(`and ${problems.length - MAX_SHOWN} more`)
      throw new Error(`Nothing was imported: ${problems.length} problem(s) in ${file}.`)
    }
    await withKnex(pool, (db) => store(db, rows, new Date(clock.now()), print))
    print(`${rows.length} currencies imported.`)
  },
})
