import { testFastFillKills } from './fastFillKills.js'
import { SHORT_WALK } from './killPlaces.js'

testFastFillKills(SHORT_WALK.fastFills)
