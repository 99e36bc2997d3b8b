import type { DepositEvent } from '@causeway/core/chain'
import { ActionRefusedError, type Chain } from '@causeway/core/plugin'

/** Heights of a chain, both included. */
export interface HeightRange {
  readonly from: bigint
  readonly to: bigint
}

/** Deposits of a range as the chain shows them now. @throws ActionRefusedError where the adapter cannot read a range again */
export const readRange = async ({ adapter, config }: Chain, range: HeightRange): Promise<readonly DepositEvent[]> => {
  const cursor = await adapter.cursorAt?.(range.from)
  if (cursor === undefined)
    throw new ActionRefusedError(`The adapter of ${config.slug} cannot read a range of blocks again.`)
  const stop = new AbortController()
  const found = new Map<string, DepositEvent>()
  try {
    for await (const { deposits, height } of adapter.watch(cursor, stop.signal)) {
      for (const deposit of deposits)
        if (isWithin(deposit, range)) found.set(`${deposit.tx.id}:${deposit.position}`, deposit)
      if (height >= range.to) break
    }
  } finally {
    stop.abort()
  }
  return [...found.values()]
}

const isWithin = ({ state, block }: DepositEvent, { from, to }: HeightRange): boolean =>
  state === 'included' && block !== null && block.height >= from && block.height <= to
