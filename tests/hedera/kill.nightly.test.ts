import { EVERY_PLACE } from '../faults/killPlaces.js'
import { testHederaKills } from './hederaKills.js'

testHederaKills(EVERY_PLACE.otherVms)
