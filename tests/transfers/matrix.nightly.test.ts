import { cellsOf, crowdOf, loadKinds } from './matrixCells.js'
import { testMatrix } from './matrixTransfers.js'

const AT_ONCE = 5

const kinds = await loadKinds()
testMatrix({ kinds, cells: cellsOf(kinds), crowd: crowdOf(kinds, AT_ONCE) })
