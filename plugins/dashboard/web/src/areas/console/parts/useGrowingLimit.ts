import { useState } from 'react'

const FIRST = 100
export const MOST = 1_000

/** For lists that are asked for again with a higher limit: the commands allow 1,000. */
export const useGrowingLimit = () => {
  const [limit, setLimit] = useState(FIRST)
  return {
    limit,
    grow: () => setLimit((before) => Math.min(MOST, before + 300)),
    /** Asks for as much as the commands allow. */
    growWhole: () => setLimit(MOST),
    /** Nothing more can be asked for. */
    isFull: limit >= MOST,
  }
}
