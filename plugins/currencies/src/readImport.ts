import { ServiceError } from '@causeway/core'
import { type ChainRegistry, validator } from '@causeway/core/plugin'
import { currencyKey } from './catalogueCurrency.js'
import { ImportedCurrency } from './currencySchemas.js'

/** A checked entry with its canonical address and VM. */
export interface ImportRow extends ImportedCurrency {
  readonly vmType: string
}

export interface ImportReading {
  readonly rows: readonly ImportRow[]
  /** Each names the entry by its position, counted from 1. Empty when all is well. */
  readonly problems: readonly string[]
}

const checkShape = (entry: unknown, where: string): string | null => {
  try {
    validator(ImportedCurrency, where)(entry)
    return null
  } catch (error) {
    if (ServiceError.is(error)) return error.message
    throw error
  }
}

const evmLike = (address: string): string => (/^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address)

const resolve = (chains: ChainRegistry, entry: ImportedCurrency, where: string): ImportRow | string => {
  const adapter = chains.find(entry.chainId)?.adapter
  if (adapter === undefined) {
    if (entry.vmType === undefined) return `${where}.vmType is required, since chain ${entry.chainId} is not configured`
    return { ...entry, vmType: entry.vmType, address: evmLike(entry.address) }
  }
  if (entry.vmType !== undefined && entry.vmType !== adapter.vmType) {
    return `${where}.vmType is ${entry.vmType}, but chain ${entry.chainId} is ${adapter.vmType}`
  }
  const address = adapter.normalizeCurrency(entry.address)
  if (address === null) return `${where}.address is not an address of chain ${entry.chainId}`
  return { ...entry, vmType: adapter.vmType, address }
}

/** Reads the parsed content of an import file and finds everything wrong with it, not only the first. Pure. */
export const readImport = (chains: ChainRegistry, content: unknown): ImportReading => {
  if (!Array.isArray(content)) return { rows: [], problems: ['The file must hold a JSON array of currencies'] }
  const rows: ImportRow[] = []
  const problems: string[] = []
  const seen = new Map<string, number>()
  for (const [at, entry] of (content as unknown[]).entries()) {
    const where = `entry ${at + 1}`
    const wrong = checkShape(entry, where)
    // CAST: checkShape has just held the entry against the schema.
    const row = wrong ?? resolve(chains, entry as ImportedCurrency, where)
    if (typeof row === 'string') {
      problems.push(row)
      continue
    }
    const key = currencyKey(row.chainId, row.address)
    const before = seen.get(key)
    if (before !== undefined) problems.push(`${where} repeats entry ${before}`)
    seen.set(key, before ?? at + 1)
    rows.push(row)
  }
  return { rows, problems }
}
