import { loadKinds, ringOf } from './matrixCells.js'
import { testMatrix } from './matrixTransfers.js'

// The full square of origins and destinations runs nightly.
const kinds = await loadKinds()
testMatrix({ kinds, cells: ringOf(kinds), crowd: [] })
