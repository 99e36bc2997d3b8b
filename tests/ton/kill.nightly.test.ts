import { EVERY_PLACE } from '../faults/killPlaces.js'
import { testTonKills } from './tonKills.js'

testTonKills(EVERY_PLACE.otherVms)
