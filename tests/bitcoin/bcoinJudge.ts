import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { installPinned } from '../harness/pinnedInstall.js'

/** What bcoin says of one transaction. */
export interface Verdict {
  readonly txid: string
  readonly weight: number
  readonly vsize: number
  /** Satoshis. */
  readonly fee: number
  /** Why no block may hold it, whatever it spends; null: it may. */
  readonly insane: string | null
  /** Of each input why its scripts fail under the rules of relay; null: they hold. */
  readonly failures: readonly (string | null)[]
}

/** A transaction and the outputs that it spends. */
export interface JudgedTransaction {
  readonly hex: string
  readonly coins: readonly {
    readonly txid: string
    readonly vout: number
    /** Satoshis. */
    readonly value: bigint
    readonly script: Uint8Array
  }[]
}

export interface BcoinJudge {
  judge(transactions: readonly JudgedTransaction[]): readonly Verdict[]
  close(): void
}

const FROM = fileURLToPath(new URL('bcoin', import.meta.url))

/**
 * Installs bcoin, as its lock file pins it, in a folder of its own: its 150 packages are not wanted in the workspace. Nothing of
 * it is compiled, so that its curve is its own JavaScript too.
 */
export const installBcoin = async (): Promise<BcoinJudge> => {
  const { folder, remove } = await installPinned(FROM)
  const judge = (transactions: readonly JudgedTransaction[]) => {
    const input = JSON.stringify(
      transactions.map(({ hex, coins }) => ({
        hex,
        coins: coins.map((coin) => ({ ...coin, value: `${coin.value}`, script: toHex(coin.script) })),
      })),
    )
    const output = execFileSync(process.execPath, ['judge.cjs'], {
      cwd: folder,
      input,
      encoding: 'utf8',
      stdio: 'pipe',
    })
    // CAST: as judge.cjs writes it.
    return JSON.parse(output) as Verdict[]
  }
  return { judge, close: remove }
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
