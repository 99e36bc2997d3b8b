import { EVERY_PLACE } from '../faults/killPlaces.js'
import { testTronKills } from './tronKills.js'

testTronKills(EVERY_PLACE.otherVms)
