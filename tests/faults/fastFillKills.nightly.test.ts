import { testFastFillKills } from './fastFillKills.js'
import { EVERY_PLACE } from './killPlaces.js'

testFastFillKills(EVERY_PLACE.fastFills)
